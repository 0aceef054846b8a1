/*
 * A load generator on libcurl's multi interface: a number of connections that are kept alive, one request at a time on each.
 *
 *   curl-multi URL CONNECTIONS REQUESTS SECONDS [FIELD ...]
 *   curl-multi --version
 *
 * It ends after REQUESTS answers or, when that is 0, after SECONDS. The report is one line of JSON, times in microseconds.
 */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static size_t discard(char *data, size_t size, size_t count, void *user) {
  (void)data;
  (void)user;
  return size * count;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int ascending(const void *a, const void *b) {
  unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
  return (left > right) - (left < right);
}

/* Each latency in microseconds; 32 bits hold more than an hour. */
static unsigned *latencies;
static size_t taken, room;

static void note(curl_off_t latency) {
  if (taken == room) {
    room = room ? room * 2 : 65536;
    latencies = realloc(latencies, room * sizeof *latencies);
    if (!latencies) {
      fputs("curl-multi: out of memory\n", stderr);
      exit(1);
    }
  }
  latencies[taken++] = (unsigned)latency;
}

static unsigned percentile(double share) {
  if (taken == 0) return 0;
  size_t place = (size_t)(share * (double)taken);
  return latencies[place < taken ? place : taken - 1];
}

static CURL *prepare(const char *url, struct curl_slist *fields) {
  CURL *easy = curl_easy_init();
  if (!easy) exit(1);
  curl_easy_setopt(easy, CURLOPT_URL, url);
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, fields);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, 20000L);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L);
  return easy;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    printf("libcurl %s\n", curl_version_info(CURLVERSION_NOW)->version);
    return 0;
  }
  if (argc < 5) {
    fputs("curl-multi URL CONNECTIONS REQUESTS SECONDS [FIELD ...]\n", stderr);
    return 2;
  }
  const long connections = atol(argv[2]), requests = atol(argv[3]);
  const double seconds = atof(argv[4]);
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
  }
  curl_global_init(CURL_GLOBAL_DEFAULT);
  struct curl_slist *fields = NULL;
  for (int place = 5; place < argc; place++) fields = curl_slist_append(fields, argv[place]);
  CURLM *multi = curl_multi_init();
  curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  CURL **all = calloc((size_t)connections, sizeof *all);
  if (!multi || !all) return 1;

  long started = 0, running = 0, connect = 0, status = 0, timeout = 0;
  const double start = now();
  for (; started < connections && (requests == 0 || started < requests); started++) {
    all[started] = prepare(argv[1], fields);
    curl_multi_add_handle(multi, all[started]);
    running++;
  }
  while (running > 0) {
    int active, left;
    if (curl_multi_perform(multi, &active) != CURLM_OK) return 1;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      if (message->msg != CURLMSG_DONE) continue;
      CURL *easy = message->easy_handle;
      const CURLcode result = message->data.result;
      long code = 0;
      curl_off_t took = 0;
      curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
      curl_easy_getinfo(easy, CURLINFO_TOTAL_TIME_T, &took);
      if (result == CURLE_OPERATION_TIMEDOUT) timeout++;
      else if (result != CURLE_OK) connect++;
      else if (code < 200 || code > 299) status++;
      else note(took);
      curl_multi_remove_handle(multi, easy);
      running--;
      /* A server that is gone would otherwise be asked for ever, by time at least. */
      if (connect + timeout > 1000) continue;
      if (requests > 0 ? started < requests : now() - start < seconds) {
        curl_multi_add_handle(multi, easy);
        started++;
        running++;
      }
    }
    if (active > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  const double spent = now() - start;
  qsort(latencies, taken, sizeof *latencies, ascending);
  printf("lab {\"requests\":%zu,\"microseconds\":%.0f,\"p50\":%u,\"p99\":%u,\"connect\":%ld,\"read\":0,\"write\":0,"
         "\"status\":%ld,\"timeout\":%ld}\n",
         taken, spent * 1e6, percentile(0.5), percentile(0.99), connect, status, timeout);
  return 0;
}
