#include "signals.h"
#include <signal.h>

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
    stopped = sig;
    signal(sig, SIG_DFL);
}

void signals_catch(void)
{
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
}

int signals_stopped(void) { return stopped; }
