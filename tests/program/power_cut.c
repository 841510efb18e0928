// Preloaded into a program, makes its disk forget at a power cut whatever was not synced, at worst: contents of files since their
// last fsync, and names since the last fsync of their folder.
//
// DISK is the folder that is watched, SHADOW a folder beside it: dirs/INODE has the synced names of a folder, a line each with inode
// and name; data/INODE the synced contents of a file; keep/INODE a link to it, so that no inode is used twice. The program vanishes
// before its operation number CUT on the disk; ops has the number of those done. With FORGET=1 nothing is ever synced.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int inside;
static long ops;

#define REAL(result, name, ...)                                                                                        \
    static result (*real)(__VA_ARGS__);                                                                                \
    if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

static int on_disk(const char *path) {
    const char *disk = getenv("DISK");
    return disk && strncmp(path, disk, strlen(disk)) == 0;
}

// The path of an open file; empty if it is not on the disk.
static void path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = 0;
    if (!on_disk(path)) path[0] = 0;
}

// The path of a name, which need not exist; empty if it is not on the disk.
static void path_named(const char *name, char *path) {
    char folder[PATH_MAX], whole[PATH_MAX];
    const char *slash = strrchr(name, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - name) : 1, slash ? name : ".");
    path[0] = 0;
    if (realpath(folder[0] ? folder : "/", whole) && on_disk(whole)) snprintf(path, PATH_MAX, "%s/%s", whole, slash ? slash + 1 : name);
}

static void shadow(char *path, const char *part, unsigned long inode) {
    snprintf(path, PATH_MAX, "%s/%s/%lu", getenv("SHADOW"), part, inode);
}

// Counts an operation; at the one of the cut the program is gone.
static void begin(void) {
    pthread_mutex_lock(&lock);
    inside = 1;
    if (getenv("CUT") && ops + 1 >= atol(getenv("CUT"))) syscall(SYS_exit_group, 99);
    ops++;
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/ops", getenv("SHADOW"));
    FILE *file = fopen(path, "w");
    if (file) fprintf(file, "%ld\n", ops), fclose(file);
}

static void end(void) {
    inside = 0;
    pthread_mutex_unlock(&lock);
}

static void keep(const char *path) {
    struct stat found;
    char kept[PATH_MAX];
    if (lstat(path, &found) || !S_ISREG(found.st_mode)) return;
    shadow(kept, "keep", found.st_ino);
    if (link(path, kept)) return;
}

static void sync_file(const char *path, unsigned long inode) {
    char to[PATH_MAX], buffer[65536];
    shadow(to, "data", inode);
    FILE *in = fopen(path, "r"), *out = fopen(to, "w");
    size_t length;
    while (in && out && (length = fread(buffer, 1, sizeof buffer, in)) > 0) fwrite(buffer, 1, length, out);
    if (in) fclose(in);
    if (out) fclose(out);
}

static void sync_folder(const char *path, unsigned long inode) {
    char to[PATH_MAX];
    shadow(to, "dirs", inode);
    DIR *folder = opendir(path);
    FILE *out = fopen(to, "w");
    struct dirent *entry;
    while (folder && out && (entry = readdir(folder))) {
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) fprintf(out, "%lu %s\n", entry->d_ino, entry->d_name);
    }
    if (folder) closedir(folder);
    if (out) fclose(out);
}

static int synced(const char *name, int fd) {
    REAL(int, "fsync", int);
    char path[PATH_MAX];
    struct stat found;
    if (inside || (path_of(fd, path), !path[0])) return name[1] == 'd' ? (int)syscall(SYS_fdatasync, fd) : real(fd);
    begin();
    if (!getenv("FORGET") && !fstat(fd, &found)) (S_ISDIR(found.st_mode) ? sync_folder : sync_file)(path, found.st_ino);
    end();
    return 0;
}

int fsync(int fd) { return synced("fsync", fd); }
int fdatasync(int fd) { return synced("fdatasync", fd); }

static int opened(const char *name, int flags, mode_t mode) {
    REAL(int, "open64", const char *, int, ...);
    char path[PATH_MAX];
    if (inside || !(flags & O_CREAT) || (path_named(name, path), !path[0])) return real(name, flags, mode);
    begin();
    int fd = real(name, flags, mode);
    if (fd >= 0) keep(path);
    end();
    return fd;
}

int open64(const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return opened(name, flags, mode);
}

int open(const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return opened(name, flags, mode);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    char path[PATH_MAX];
    if (inside || (path_of(fd, path), !path[0])) return real(fd, bytes, length);
    begin();
    ssize_t written = real(fd, bytes, length);
    end();
    return written;
}

int ftruncate64(int fd, off64_t length) {
    REAL(int, "ftruncate64", int, off64_t);
    char path[PATH_MAX];
    if (inside || (path_of(fd, path), !path[0])) return real(fd, length);
    begin();
    int result = real(fd, length);
    end();
    return result;
}

#define NAMED(name)                                                                                                    \
    char path[PATH_MAX];                                                                                               \
    if (inside || (path_named(name, path), !path[0]))

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    NAMED(to) return real(from, to);
    begin();
    int result = real(from, to);
    end();
    return result;
}

int unlink(const char *name) {
    REAL(int, "unlink", const char *);
    NAMED(name) return real(name);
    begin();
    int result = real(name);
    end();
    return result;
}

int mkdir(const char *name, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    NAMED(name) return real(name, mode);
    begin();
    int result = real(name, mode);
    end();
    return result;
}
