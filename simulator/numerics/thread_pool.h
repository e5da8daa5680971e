#pragma once

#include "simulator/numerics/aligned_memory.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace simulator {

/// A few threads that share the parts of one piece of work after another. The caller works too. Parts must
/// not depend on one another; a part that itself asks for parts does them alone.
class ThreadPool {
public:
    /// `threads` that work together, the caller included; 0: as many as the machine has cores.
    explicit ThreadPool(unsigned threads = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(m_workers.size()) + 1; }

    /// Calls work(part, thread) for every part; `thread` numbers the threads from 0.
    template <class Work>
    void run(std::int64_t parts, const Work& work) {
        runErased(parts, &work, [](const void* erased, std::int64_t part, unsigned thread) {
            (*static_cast<const Work*>(erased))(part, thread);
        });
    }

    /// At least `bytes` of memory for each thread's own use; earlier contents are lost.
    void reserveScratch(std::size_t bytes);
    [[nodiscard]] std::byte* scratch(unsigned thread) const { return m_scratch[thread].data(); }

private:
    using Erased = void (*)(const void* work, std::int64_t part, unsigned thread);
    void runErased(std::int64_t parts, const void* work, Erased call);
    void workerLoop(const std::stop_token& stop, unsigned thread);
    void takeParts(unsigned thread);

    /// Until there is work that the thread has not seen; false: there will be none.
    [[nodiscard]] bool waitForWork(const std::stop_token& stop, std::uint64_t seen);

    std::vector<AlignedMemory> m_scratch;
    // The work is written while it is closed and nobody is at it.
    const void* m_work = nullptr;
    Erased m_call = nullptr;
    std::int64_t m_parts = 0;
    std::atomic<std::int64_t> m_next{0};
    std::atomic<bool> m_isOpen{false};
    /// Threads that look at the work, or are about to.
    std::atomic<unsigned> m_active{0};
    std::atomic<std::uint64_t> m_generation{0};
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    unsigned m_sleeping = 0;
    std::vector<std::jthread> m_workers;
};

} // namespace simulator
