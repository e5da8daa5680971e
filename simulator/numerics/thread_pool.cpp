#include "simulator/numerics/thread_pool.h"

#include <algorithm>
#include <chrono>

namespace simulator {
namespace {

/// The thread's number while it works on a part; parts inside parts run on the same thread.
thread_local int t_currentThread = -1;

} // namespace

ThreadPool::ThreadPool(unsigned threads) {
    if (threads == 0)
        threads = std::max(1U, std::thread::hardware_concurrency());
    m_scratch.resize(threads);
    for (unsigned i = 1; i < threads; ++i)
        m_workers.emplace_back([this, i](const std::stop_token& stop) { workerLoop(stop, i); });
}

ThreadPool::~ThreadPool() {
    for (std::jthread& worker : m_workers)
        worker.request_stop();
    m_wake.notify_all();
}

void ThreadPool::reserveScratch(std::size_t bytes) {
    for (AlignedMemory& memory : m_scratch) {
        if (memory.size() < bytes)
            memory = AlignedMemory(bytes);
    }
}

void ThreadPool::takeParts(unsigned thread) {
    t_currentThread = static_cast<int>(thread);
    for (std::int64_t part = m_next.fetch_add(1); part < m_parts; part = m_next.fetch_add(1))
        m_call(m_work, part, thread);
    t_currentThread = -1;
}

void ThreadPool::runErased(std::int64_t parts, const void* work, Erased call) {
    if (parts <= 1 || m_workers.empty() || t_currentThread >= 0) {
        const unsigned thread = t_currentThread >= 0 ? static_cast<unsigned>(t_currentThread) : 0;
        for (std::int64_t part = 0; part < parts; ++part)
            call(work, part, thread);
        return;
    }
    m_work = work;
    m_call = call;
    m_parts = parts;
    m_next = 0;
    m_isOpen = true;
    ++m_generation;
    bool isWanted = false;
    {
        // Who is about to sleep sees the work, or is seen here.
        const std::lock_guard lock(m_mutex);
        isWanted = m_sleeping > 0;
    }
    if (isWanted)
        m_wake.notify_all();
    takeParts(0);
    m_isOpen = false;
    while (m_active != 0)
        std::this_thread::yield();
}

bool ThreadPool::waitForWork(const std::stop_token& stop, std::uint64_t seen) {
    // The next piece mostly comes at once, and waking a thread takes longer than many pieces do.
    constexpr auto patience = std::chrono::microseconds(100);
    const auto start = std::chrono::steady_clock::now();
    do {
        if (m_generation != seen)
            return true;
        std::this_thread::yield();
    } while (!stop.stop_requested() && std::chrono::steady_clock::now() - start < patience);
    std::unique_lock lock(m_mutex);
    ++m_sleeping;
    const bool isThere = m_wake.wait(lock, stop, [&] { return m_generation != seen; });
    --m_sleeping;
    return isThere;
}

void ThreadPool::workerLoop(const std::stop_token& stop, unsigned thread) {
    std::uint64_t seen = 0;
    while (waitForWork(stop, seen)) {
        // Counted before it looks whether there is work: either it finds none, or the caller waits for it.
        ++m_active;
        seen = m_generation;
        if (m_isOpen)
            takeParts(thread);
        --m_active;
    }
}

} // namespace simulator
