/* A wall clock that is set while processes run: preloaded, it adds the seconds in the file WALL_CLOCK_SHIFT names.
   Steady clocks are left alone, as they are where a user sets the clock of the machine. Processes that are started with
   an environment of their own, as handlers are, get the same clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long long no_shift = 0;
static const volatile long long *shift = &no_shift;
static char preload[4096], place[4096];
static int (*next_execve)(const char *, char *const[], char *const[]);
static int (*next_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("WALL_CLOCK_SHIFT"), *library = getenv("LD_PRELOAD");
  next_execve = dlsym(RTLD_NEXT, "execve");
  next_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  if (!path || !library || strlen(path) > 4000 || strlen(library) > 4000) return;
  strcat(strcpy(place, "WALL_CLOCK_SHIFT="), path);
  strcat(strcpy(preload, "LD_PRELOAD="), library);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(long long), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) shift = mapped;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int done = next_clock_gettime ? next_clock_gettime(clock, now) : (int)syscall(SYS_clock_gettime, clock, now);
  if (!done && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *shift;
  return done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec precise;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &precise)) return -1;
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *kept) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (kept) *kept = now.tv_sec;
  return now.tv_sec;
}

int execve(const char *program, char *const arguments[], char *const environment[]) {
  size_t count = 0, kept = 0;
  while (environment && environment[count]) count++;
  char *more[count + 3]; /* on the stack: a child of vfork must not allocate */
  for (size_t each = 0; each < count; each++)
    if (strncmp(environment[each], "LD_PRELOAD=", 11) && strncmp(environment[each], "WALL_CLOCK_SHIFT=", 17))
      more[kept++] = environment[each];
  if (*preload) more[kept++] = preload, more[kept++] = place;
  more[kept] = NULL;
  return next_execve(program, arguments, more);
}
