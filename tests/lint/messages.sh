#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The error contract: no message ends in a full stop, only main.c exits, and
# functions that overflow or share a buffer are not called.
# usage: messages.sh [ROOT]; prints file:line of each offence, exits 1 on any
set -u
cd "${1:-$(dirname "$0")/../..}" || exit 2

# Comments become blanks before the rules look, strings only where code is
# meant, so that neither a comment nor a text is taken for a call.
# shellcheck disable=SC2016 # the program is perl
find src guest-payload tests -name '*.[ch]' -print0 | LC_ALL=C sort -z |
  xargs -0 -r perl -e '
use strict;
my $string = qr/"(?:[^"\\]|\\.)*"/;
my $char = qr/\x27(?:[^\x27\\]|\\.)+\x27/;
my $comment = qr{/\*.*?\*/|//[^\n]*}s;
# Functions whose first string is a message for a person.
my $tells = qr/\b(?:vs_(?:fail|usage|fail_errno)|log_(?:warning|note)|
                  attempt_(?:fail|override)|g_set_error(?:_literal)?|
                  g_prefix_error)\s*\(/x;
my $banned = qr/(?<![\w.>])(strcpy|strcat|sprintf|vsprintf|strtok|gets|
                            localtime|ctime|asctime)\s*\(/x;
my $bad = 0;

sub blank { my $text = shift; $text =~ s/[^\n]/ /g; return $text; }

sub offence {
    my ($file, $text, $at, $what) = @_;
    my $line = 1 + (substr($text, 0, $at) =~ tr/\n//);
    print "$file:$line: $what\n";
    $bad = 1;
}

# The first string after a call, with strings and format macros directly
# behind it.
sub check_messages {
    my ($file, $text) = @_;
    while ($text =~ /$tells/g) {
        my $at = $-[0];
        my $rest = substr($text, $+[0]);
        next unless $rest =~ /^[^";]*($string\s*(?:$string\s*|[A-Z][A-Z0-9_]*\s*)*)/;
        offence($file, $text, $at, "message ends in a full stop")
            if $1 =~ /\.(?:\\n)?"\s*$/;
    }
}

sub check_calls {
    my ($file, $code) = @_;
    while ($code =~ /$banned/g) {
        offence($file, $code, $-[0], "$1() is not used here");
    }
    return if $file =~ m{(?:^|/)main\.c$} or $file =~ m{^tests/};
    while ($code =~ /(?<![\w.>])exit\s*\(/g) {
        offence($file, $code, $-[0], "exit() outside main.c");
    }
}

for my $file (@ARGV) {
    open my $in, "<", $file or die "$file: $!\n";
    local $/;
    my $text = <$in>;
    close $in;
    $text =~ s/($string|$char)|($comment)/defined $1 ? $1 : blank($2)/ge;
    check_messages($file, $text);
    (my $code = $text) =~ s/($string|$char)/blank($1)/ge;
    check_calls($file, $code);
}
exit $bad;
' || exit 1
