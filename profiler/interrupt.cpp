// See interrupt.hpp. A signal handler may only touch lock-free atomics and call async-signal-safe functions, hence the
// fixed slots.
#include "interrupt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <csignal>
#include <cstring>
#include <iterator>

namespace zellige::profiler {
namespace {

enum State : int { unused, taken, empty, holding };

struct Slot {
  std::atomic<int> state = unused;
  char path[PATH_MAX];
};

Slot slots[8];

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // nobody is left to hear it
}

void clean_up(int signal) {
  for (Slot& slot : slots) {
    const int state = slot.state.load();
    if (state == empty) unlink(slot.path);
    if (state != holding) continue;
    say("\nzellige-profiler: interrupted; the results so far are in ");
    say(slot.path);
    say("\n");
  }
  raise(signal);  // SA_RESETHAND: this time it ends the program, so that shells see why
}

void open_closed_streams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is taken, which is this stream's.
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0) return;
  }
}

}  // namespace

void prepare_process() {
  open_closed_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit is then a write that fails, and said as such
  struct sigaction action = {};
  action.sa_handler = clean_up;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before;
    // What the parent ignores (nohup) stays ignored.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
}

UnfinishedFile::UnfinishedFile(const std::string& path) {
  if (path.size() >= PATH_MAX) return;
  for (int i = 0; i < static_cast<int>(std::size(slots)); ++i) {
    int expected = unused;
    if (!slots[i].state.compare_exchange_strong(expected, taken)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].state = empty;
    slot_ = i;
    return;
  }
}

void UnfinishedFile::holds_results() {
  if (slot_ >= 0) slots[slot_].state = holding;
}

void UnfinishedFile::finished() {
  if (slot_ >= 0) slots[slot_].state = unused;
  slot_ = -1;
}

}  // namespace zellige::profiler
