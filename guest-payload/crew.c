/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See crew.h.
 */
#include "guest-payload/crew.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Member {
    Crew *crew;
    pthread_t thread;
    int number;
} Member;

struct Crew {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    unsigned round; /* raised to begin one */
    int busy;       /* members still at work in this round */
    bool quit;
    void (*work)(int thread, void *data);
    void *data;
    int count;
    Member member[];
};

int
crew_cpus(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        return CPU_COUNT(&set);
    return (int) sysconf(_SC_NPROCESSORS_ONLN);
}

static void *
member_main(void *argument)
{
    Member *member = argument;
    Crew *crew = member->crew;
    unsigned round = 0;

    for (;;) {
        pthread_mutex_lock(&crew->lock);
        while (crew->round == round && !crew->quit)
            pthread_cond_wait(&crew->begin, &crew->lock);
        bool quit = crew->quit;
        round = crew->round;
        pthread_mutex_unlock(&crew->lock);
        if (quit)
            return NULL;
        crew->work(member->number, crew->data);
        pthread_mutex_lock(&crew->lock);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->end);
        pthread_mutex_unlock(&crew->lock);
    }
}

bool
crew_make(int count, void (*work)(int thread, void *data), void *data,
          Crew **ret_crew, Fail *fail)
{
    Crew *crew = calloc(1, sizeof(*crew) + sizeof(Member) * (size_t) count);
    sigset_t all, old;
    int error = 0;

    if (!crew)
        return fail_set(fail, ENOMEM, "cannot make %d threads", count);
    crew->work = work;
    crew->data = data;
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->begin, NULL);
    pthread_cond_init(&crew->end, NULL);
    /* Signals are the main thread's, which may be waiting for the host. */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    for (; crew->count < count && !error; crew->count += !error) {
        Member *member = &crew->member[crew->count];
        *member = (Member){.crew = crew, .number = crew->count};
        error = pthread_create(&member->thread, NULL, member_main, member);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error) {
        crew_free(crew);
        return fail_set(fail, error, "cannot make %d threads", count);
    }
    *ret_crew = crew;
    return true;
}

void
crew_round(Crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    crew->busy = crew->count;
    crew->round++;
    pthread_cond_broadcast(&crew->begin);
    while (crew->busy)
        pthread_cond_wait(&crew->end, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

void
crew_free(Crew *crew)
{
    if (!crew)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->quit = true;
    pthread_cond_broadcast(&crew->begin);
    pthread_mutex_unlock(&crew->lock);
    for (int i = 0; i < crew->count; i++)
        pthread_join(crew->member[i].thread, NULL);
    pthread_cond_destroy(&crew->end);
    pthread_cond_destroy(&crew->begin);
    pthread_mutex_destroy(&crew->lock);
    free(crew);
}
