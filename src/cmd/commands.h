/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line per subcommand; its file is cmd/NAME.c. */
#pragma once

#include "cmd/command.h"

extern const Command command_analyze, command_clean, command_compare,
    command_complete, command_doctor, command_help_command, command_ls,
    command_plan, command_report, command_run, command_settings, command_shell,
    command_show, command_workloads;
