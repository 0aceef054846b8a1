// The floor below node: one answer, always the same, to whatever arrives in one piece, by epoll, accept, read and write alone.
// Nothing is read of a request. PIPELINED is the number of answers (default: 1); with CLOSES the connection ends behind them.
// Linux only; `npm run lab -- frontier` compiles it where there is a C compiler.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static const char head[] =
    "HTTP/1.1 200 OK\r\nX-Powered-By: none\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 12\r\n"
    "ETag: W/\"c-Lve95gjOVATpfV8EL5X4nxwjKHE\"\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\n";
static const char kept[] = "Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\nHello World!";
static const char closed[] = "Connection: close\r\n\r\nHello World!";

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void watch(int poll, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  if (epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event) == -1) fail("epoll_ctl");
}

int main(void) {
  const char *wanted = getenv("PORT"), *pipelined = getenv("PIPELINED");
  int closes = getenv("CLOSES") != NULL, count_of_answers = pipelined ? atoi(pipelined) : 1;
  static char answers[65536];
  size_t size = 0;
  for (int i = 0; i < count_of_answers && size < sizeof answers / 2; i++)
    size += (size_t)sprintf(answers + size, "%s%s", head, closes ? closed : kept);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(wanted ? atoi(wanted) : 0)};
  socklen_t length = sizeof address;
  int yes = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (server == -1) fail("socket");
  setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(server, (struct sockaddr *)&address, length) == -1) fail("bind");
  if (listen(server, 511) == -1) fail("listen");
  if (getsockname(server, (struct sockaddr *)&address, &length) == -1) fail("getsockname");
  int poll = epoll_create1(0);
  if (poll == -1) fail("epoll_create1");
  watch(poll, server);
  printf("listening %d\n", ntohs(address.sin_port));
  fflush(stdout);

  struct epoll_event events[256];
  char request[65536];
  for (;;) {
    int count = epoll_wait(poll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == server) {
        int accepted = accept4(server, NULL, NULL, SOCK_NONBLOCK);
        if (accepted == -1) continue;
        setsockopt(accepted, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        watch(poll, accepted);
        continue;
      }
      ssize_t octets = read(fd, request, sizeof request);
      if (octets <= 0 || write(fd, answers, size) != (ssize_t)size) close(fd);
      else if (closes) shutdown(fd, SHUT_WR);
    }
  }
}
