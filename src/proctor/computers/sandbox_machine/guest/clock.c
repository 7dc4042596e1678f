/* Shows every program of a desktop the clock that was asked for: the wall clock and the times of files are moved by a
   constant, while intervals and the steady clock stay as they are.

   Compiled when a desktop starts and loaded into each program by /etc/ld.so.preload. OFFSET_SEC is how far the clock is
   from the real one; files that are not newer than IMAGE_SEC keep their times, because caches of the image (fonts, Python
   modules) remember them. It needs no headers, so that an image needs no more than a compiler of half a megabyte. */

typedef struct { long sec, nsec; } Moment;   /* struct timespec; struct timeval is the same with microseconds */
typedef struct { Moment interval, value; } Timer;

extern void *dlsym(void *library, const char *name);

#define NEXT_LIBRARY ((void *)-1L)
#define ABSOLUTE 1                           /* TIMER_ABSTIME and TFD_TIMER_ABSTIME */
#define TIME_UTC 1
#define KEEP_OR_NOW 0x3ffffffe               /* UTIME_OMIT; UTIME_NOW is one more */
/* Some calls do not say which clock their time is of. No machine runs for ten years, so a larger number is a date. */
#define FIRST_DATE 300000000L

/* The function we stand in front of; found at the first call, by whichever thread comes first. */
#define NEXT(result, name, parameters) \
    static result (*next) parameters; \
    if (!next) next = (result (*) parameters)dlsym(NEXT_LIBRARY, #name)

static int is_wall(int clock) {
    return clock == 0 || clock == 5 || clock == 8 || clock == 11; /* REALTIME, its COARSE and ALARM kinds, TAI */
}

/* ---- what time is it? ---- */

int clock_gettime(int clock, Moment *now) {
    NEXT(int, clock_gettime, (int, Moment *));
    int failed = next(clock, now);
    if (!failed && is_wall(clock)) now->sec += OFFSET_SEC;
    return failed;
}

int gettimeofday(Moment *now, void *zone) {
    NEXT(int, gettimeofday, (Moment *, void *));
    int failed = next(now, zone);
    if (!failed && now) now->sec += OFFSET_SEC;
    return failed;
}

long time(long *copy) {
    NEXT(long, time, (long *));
    long now = next(0) + OFFSET_SEC;
    if (copy) *copy = now;
    return now;
}

int timespec_get(Moment *now, int base) {
    NEXT(int, timespec_get, (Moment *, int));
    int done = next(now, base);
    if (done == TIME_UTC) now->sec += OFFSET_SEC;
    return done;
}

/* ---- wait until a date ---- */

/* Return the true time of a moment the program means by our clock. */
static const Moment *truly(const Moment *until, int wall, Moment *room) {
    if (!until || !wall) return until;
    *room = *until;
    room->sec -= OFFSET_SEC;
    return room;
}

static const Moment *truly_if_date(const Moment *until, Moment *room) {
    return truly(until, until && until->sec >= FIRST_DATE, room);
}

int clock_nanosleep(int clock, int flags, const Moment *request, Moment *left) {
    NEXT(int, clock_nanosleep, (int, int, const Moment *, Moment *));
    Moment room;
    return next(clock, flags, truly(request, flags & ABSOLUTE && is_wall(clock), &room), left);
}

int pthread_cond_timedwait(void *condition, void *mutex, const Moment *until) {
    NEXT(int, pthread_cond_timedwait, (void *, void *, const Moment *));
    Moment room;
    return next(condition, mutex, truly_if_date(until, &room));
}

int pthread_cond_clockwait(void *condition, void *mutex, int clock, const Moment *until) {
    NEXT(int, pthread_cond_clockwait, (void *, void *, int, const Moment *));
    Moment room;
    return next(condition, mutex, clock, truly(until, is_wall(clock), &room));
}

#define WAIT_ON_ONE(name) \
    int name(void *one, const Moment *until) { \
        NEXT(int, name, (void *, const Moment *)); \
        Moment room; \
        return next(one, truly(until, 1, &room)); \
    }
WAIT_ON_ONE(pthread_mutex_timedlock)
WAIT_ON_ONE(pthread_rwlock_timedrdlock)
WAIT_ON_ONE(pthread_rwlock_timedwrlock)
WAIT_ON_ONE(sem_timedwait)

#define WAIT_ON_ONE_BY(name) \
    int name(void *one, int clock, const Moment *until) { \
        NEXT(int, name, (void *, int, const Moment *)); \
        Moment room; \
        return next(one, clock, truly(until, is_wall(clock), &room)); \
    }
WAIT_ON_ONE_BY(pthread_mutex_clocklock)
WAIT_ON_ONE_BY(pthread_rwlock_clockrdlock)
WAIT_ON_ONE_BY(pthread_rwlock_clockwrlock)
WAIT_ON_ONE_BY(sem_clockwait)

#define SET_TIMER(name, handle) \
    int name(handle timer, int flags, const Timer *fresh, Timer *old) { \
        NEXT(int, name, (handle, int, const Timer *, Timer *)); \
        Timer room; \
        if (!fresh || !(flags & ABSOLUTE)) return next(timer, flags, fresh, old); \
        room = *fresh; \
        truly_if_date(&fresh->value, &room.value); \
        return next(timer, flags, &room, old); \
    }
SET_TIMER(timerfd_settime, int)
SET_TIMER(timer_settime, void *)

/* ---- the times of files ---- */

static void show(Moment *times, int count) {
    for (int i = 0; i < count; i++)
        if (times[i].sec > IMAGE_SEC) times[i].sec += OFFSET_SEC;
}

/* Return what to store so that it is shown as given. With a clock ahead of the real one there are times that are stored
   neither way, between the image's and its shown self: the image's stands for them. */
static long stored(long shown) {
    if (shown > IMAGE_SEC + OFFSET_SEC) return shown - OFFSET_SEC;
    return shown > IMAGE_SEC ? IMAGE_SEC : shown;
}

#define STATUS(name, parameters, types, arguments) \
    int name parameters { \
        NEXT(int, name, types); \
        int failed = next arguments; \
        /* Accessed, modified, changed; at the same place on x86-64 and AArch64. */ \
        if (!failed) show((Moment *)((char *)status + 72), 3); \
        return failed; \
    }
#define BY_PATH(name) STATUS(name, (const char *path, void *status), (const char *, void *), (path, status))
#define BY_FILE(name) STATUS(name, (int file, void *status), (int, void *), (file, status))
#define BY_PLACE(name) \
    STATUS(name, (int folder, const char *path, void *status, int flags), (int, const char *, void *, int), \
           (folder, path, status, flags))
BY_PATH(stat) BY_PATH(stat64) BY_PATH(lstat) BY_PATH(lstat64)
BY_FILE(fstat) BY_FILE(fstat64)
BY_PLACE(fstatat) BY_PLACE(fstatat64)

/* As programs built before glibc 2.33 ask. */
#define OLD_BY_PATH(name) \
    STATUS(name, (int version, const char *path, void *status), (int, const char *, void *), (version, path, status))
#define OLD_BY_FILE(name) STATUS(name, (int version, int file, void *status), (int, int, void *), (version, file, status))
OLD_BY_PATH(__xstat) OLD_BY_PATH(__xstat64) OLD_BY_PATH(__lxstat) OLD_BY_PATH(__lxstat64)
OLD_BY_FILE(__fxstat) OLD_BY_FILE(__fxstat64)

int statx(int folder, const char *path, int flags, unsigned mask, void *status) {
    NEXT(int, statx, (int, const char *, int, unsigned, void *));
    int failed = next(folder, path, flags, mask, status);
    if (!failed) show((Moment *)((char *)status + 64), 4); /* accessed, born, changed, modified */
    return failed;
}

/* Return the two times to store; the special values for "now" and "leave it" stay. */
static const Moment *pair(const Moment *times, Moment *room) {
    if (!times) return times;
    for (int i = 0; i < 2; i++) {
        room[i] = times[i];
        if (times[i].nsec < KEEP_OR_NOW) room[i].sec = stored(times[i].sec);
    }
    return room;
}

#define SET_TIMES(name, kind) \
    int name(kind file, const Moment *times) { \
        NEXT(int, name, (kind, const Moment *)); \
        Moment room[2]; \
        return next(file, pair(times, room)); \
    }
SET_TIMES(futimens, int)
SET_TIMES(futimes, int)
SET_TIMES(utimes, const char *)
SET_TIMES(lutimes, const char *)

int utimensat(int folder, const char *path, const Moment *times, int flags) {
    NEXT(int, utimensat, (int, const char *, const Moment *, int));
    Moment room[2];
    return next(folder, path, pair(times, room), flags);
}

int futimesat(int folder, const char *path, const Moment *times) {
    NEXT(int, futimesat, (int, const char *, const Moment *));
    Moment room[2];
    return next(folder, path, pair(times, room));
}

int utime(const char *path, const long *times) {
    NEXT(int, utime, (const char *, const long *));
    long room[2];
    if (!times) return next(path, times);
    for (int i = 0; i < 2; i++) room[i] = stored(times[i]);
    return next(path, room);
}
