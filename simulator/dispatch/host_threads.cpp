// The pool of host threads; host_threads.hpp says what it does.
#include "simulator/dispatch/host_threads.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace zellige::sim {
namespace {

/// Threads wait for a new generation, run their share, and report. The pool lives as long as the process, and its
/// threads are detached: a runtime is used until the last static destructor. A child of fork() has no threads and
/// starts its own.
class Pool {
 public:
  void run(int count, const std::function<void(int)>& task) {
    if (count <= 1) {
      task(0);
      return;
    }
    {
      std::unique_lock lock(mutex_);
      if (owner_ != getpid()) owner_ = getpid(), started_ = 0;
      task_ = &task;
      wanted_ = count;
      running_ = count - 1;
      ++generation_;
      for (; started_ < count - 1; ++started_)
        std::thread([this, id = started_ + 1, seen = generation_ - 1] { serve(id, seen); }).detach();
    }
    wake_.notify_all();
    task(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return running_ == 0; });
    task_ = nullptr;
  }

 private:
  void serve(int id, unsigned long seen) {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return generation_ != seen; });
      seen = generation_;
      if (id >= wanted_) continue;
      const std::function<void(int)>& task = *task_;
      lock.unlock();
      task(id);
      lock.lock();
      if (--running_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int)>* task_ = nullptr;
  int wanted_ = 0, running_ = 0, started_ = 0;
  pid_t owner_ = 0;
  unsigned long generation_ = 0;
};

int read_thread_count() {
  cpu_set_t set;
  const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  const char* text = std::getenv("ZELLIGE_SIM_THREADS");
  if (!text) return std::max(cores, 1);
  char* end = nullptr;
  const long count = std::strtol(text, &end, 10);
  if (end == text || *end || count < 1 || count > 1024) {
    std::fprintf(stderr, "zellige-sim: ZELLIGE_SIM_THREADS='%s' is not a number from 1 to 1024; using %d\n", text,
                 cores);
    return std::max(cores, 1);
  }
  return static_cast<int>(count);
}

}  // namespace

int host_threads() {
  static const int count = read_thread_count();
  return count;
}

void run_on_host_threads(int count, const std::function<void(int)>& task) {
  static Pool* pool = new Pool;
  pool->run(count, task);
}

}  // namespace zellige::sim
