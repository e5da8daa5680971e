#include "simulator/numerics/thread_pool.h"

#include <algorithm>

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
    {
        const std::lock_guard lock(m_mutex);
        m_work = work;
        m_call = call;
        m_parts = parts;
        m_next = 0;
        m_busy = static_cast<unsigned>(m_workers.size());
        ++m_generation;
    }
    m_wake.notify_all();
    takeParts(0);
    while (m_busy.load(std::memory_order_acquire) != 0)
        std::this_thread::yield();
}

void ThreadPool::workerLoop(const std::stop_token& stop, unsigned thread) {
    std::uint64_t seen = 0;
    while (true) {
        {
            std::unique_lock lock(m_mutex);
            if (m_generation == seen && !m_wake.wait(lock, stop, [&] { return m_generation != seen; }))
                return;
            seen = m_generation;
        }
        takeParts(thread);
        m_busy.fetch_sub(1, std::memory_order_release);
    }
}

} // namespace simulator
