/* A disk that writes down what is done to it, and fails when it is told to; preloaded into a process under test.

   Of every file under the path prefix ANANAS_DISK, but for memory shared by processes (-shm), each change is appended to
   the file ANANAS_DISK_RECORD, in the order in which it happened: opening, writing, cutting, flushing, renaming, removing.
   A record is: one letter, a 4-byte descriptor, an 8-byte offset, a 4-byte length, and as many bytes. With
   ANANAS_DISK_PRETENDS set a flush does nothing and is not recorded, but says that all is well.

   While the file ANANAS_DISK_FAILS exists and is not empty, it says what fails: a word, "write" or "sync", and an errno.
   Failed flushes are recorded as such: what had been written before may never reach the disk. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define DESCRIPTORS 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char watched[DESCRIPTORS];
static int record = -1;

static int next_write(int fd, const void *bytes, size_t length) {
    while (length > 0) {
        long wrote = syscall(SYS_write, fd, bytes, length);
        if (wrote < 0) return -1;
        bytes = (const char *)bytes + wrote;
        length -= (size_t)wrote;
    }
    return 0;
}

static void note(char kind, int fd, int64_t offset, const void *bytes, uint32_t length) {
    const char *path = getenv("ANANAS_DISK_RECORD");
    if (path == NULL) return;
    if (record < 0) {
        record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        if (record < 0) abort();
    }
    char head[17];
    int32_t fd32 = fd;
    head[0] = kind;
    memcpy(head + 1, &fd32, 4);
    memcpy(head + 5, &offset, 8);
    memcpy(head + 13, &length, 4);
    if (next_write(record, head, sizeof head) < 0 || next_write(record, bytes, length) < 0) abort();
}

static int matters(const char *path) {
    const char *prefix = getenv("ANANAS_DISK");
    size_t length = strlen(path);
    if (prefix == NULL || strncmp(path, prefix, strlen(prefix)) != 0) return 0;
    return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

static int fails(const char *what) {
    const char *path = getenv("ANANAS_DISK_FAILS");
    char said[64];
    if (path == NULL) return 0;
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0) return 0;
    long length = syscall(SYS_read, fd, said, sizeof said - 1);
    syscall(SYS_close, fd);
    if (length <= 0) return 0;
    said[length] = 0;
    char word[16];
    int number = 0;
    if (sscanf(said, "%15s %d", word, &number) != 2 || strcmp(word, what) != 0) return 0;
    return number;
}

static int is_watched(int fd) { return fd >= 0 && fd < DESCRIPTORS && watched[fd]; }

static int opened(const char *path, int flags, mode_t mode) {
    pthread_mutex_lock(&lock);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    int kept = errno;
    if (fd >= 0 && fd < DESCRIPTORS) {
        watched[fd] = 0;
        /* a folder is opened to flush the names in it */
        if (matters(path) || (flags & O_DIRECTORY) || flags == (O_RDONLY | O_CLOEXEC)) {
            struct stat found;
            if (fstat(fd, &found) == 0 && (S_ISREG(found.st_mode) ? matters(path) : S_ISDIR(found.st_mode))) {
                watched[fd] = S_ISDIR(found.st_mode) ? 2 : 1;
                note(S_ISDIR(found.st_mode) ? 'D' : (flags & O_TRUNC) ? 'N' : 'O', fd, 0, path, (uint32_t)strlen(path));
            }
        }
    }
    errno = kept;
    pthread_mutex_unlock(&lock);
    return fd;
}

#define OPEN(name)                                                      \
    int name(const char *path, int flags, ...) {                        \
        mode_t mode = 0;                                                \
        if (flags & (O_CREAT | __O_TMPFILE)) {                          \
            va_list rest;                                               \
            va_start(rest, flags);                                      \
            mode = (mode_t)va_arg(rest, int);                           \
            va_end(rest);                                               \
        }                                                               \
        return opened(path, flags, mode);                               \
    }
OPEN(open)
OPEN(open64)

int close(int fd) {
    pthread_mutex_lock(&lock);
    if (is_watched(fd)) {
        note('C', fd, 0, NULL, 0);
        watched[fd] = 0;
    }
    pthread_mutex_unlock(&lock);
    return (int)syscall(SYS_close, fd);
}

static ssize_t put(int fd, const void *bytes, size_t length, int64_t offset, int placed) {
    if (!is_watched(fd)) {
        if (placed) return syscall(SYS_pwrite64, fd, bytes, length, offset);
        return syscall(SYS_write, fd, bytes, length);
    }
    pthread_mutex_lock(&lock);
    ssize_t wrote = -1;
    int number = fails("write"), kept = number;
    if (number == 0) {
        if (!placed) offset = lseek(fd, 0, SEEK_CUR);
        wrote = placed ? syscall(SYS_pwrite64, fd, bytes, length, offset) : syscall(SYS_write, fd, bytes, length);
        kept = errno;
        if (wrote > 0) note('W', fd, offset, bytes, (uint32_t)wrote);
    }
    errno = kept;
    pthread_mutex_unlock(&lock);
    return wrote;
}

ssize_t write(int fd, const void *bytes, size_t length) { return put(fd, bytes, length, 0, 0); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return put(fd, bytes, length, offset, 1); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return put(fd, bytes, length, offset, 1); }

static int cut(int fd, int64_t length) {
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_ftruncate, fd, length), kept = errno;
    if (done == 0 && is_watched(fd)) note('T', fd, length, NULL, 0);
    errno = kept;
    pthread_mutex_unlock(&lock);
    return done;
}

int ftruncate(int fd, off_t length) { return cut(fd, length); }
int ftruncate64(int fd, off64_t length) { return cut(fd, length); }

static int flushed(int fd) {
    if (!is_watched(fd)) return 0; /* nothing here looks at other files */
    pthread_mutex_lock(&lock);
    int number = watched[fd] == 1 ? fails("sync") : 0;
    if (getenv("ANANAS_DISK_PRETENDS") == NULL) note(number ? 'F' : 'S', fd, 0, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = number;
    return number ? -1 : 0;
}

/* The machine's own disk need not wait: a cut is made from the record alone. */
int fsync(int fd) { return flushed(fd); }
int fdatasync(int fd) { return flushed(fd); }

int unlink(const char *path) {
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0), kept = errno;
    if (done == 0 && matters(path)) note('U', -1, 0, path, (uint32_t)strlen(path));
    errno = kept;
    pthread_mutex_unlock(&lock);
    return done;
}

int rename(const char *from, const char *to) {
    pthread_mutex_lock(&lock);
    int done = (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to), kept = errno;
    if (done == 0 && (matters(from) || matters(to))) {
        char both[8192];
        int length = snprintf(both, sizeof both, "%s%c%s", from, 0, to);
        note('R', -1, 0, both, (uint32_t)length);
    }
    errno = kept;
    pthread_mutex_unlock(&lock);
    return done;
}
