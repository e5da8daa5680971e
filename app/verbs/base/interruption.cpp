#include "app/verbs/base/interruption.h"

#include "app/reports/exit_code.h"
#include "core/platform/signals.h"
#include "core/platform/work_scope.h"

#include <cstdint>

namespace app {

Interruption::Interruption() {
    core::holdEndingSignals();
    m_thread = std::thread([this] { watch(); });
}

Interruption::~Interruption() {
    m_isOver = true;
    m_thread.join();
}

void Interruption::watch() {
    constexpr std::int64_t pollMilliseconds = 20;
    while (!m_isOver && !core::awaitEndingSignal(pollMilliseconds)) {
    }
    if (m_isOver)
        return;
    m_source.request_stop();
    constexpr int patience = 500;          // polls: ten seconds
    constexpr int patienceToHarmless = 15; // polls in a row: a third of a second
    int harmlessPolls = 0;
    for (int i = 0; i < patience && harmlessPolls < patienceToHarmless && !m_isOver; ++i) {
        if (core::awaitEndingSignal(pollMilliseconds))
            break;
        const bool isHarmless = core::ReadingScope::isActive() || !core::WritingScope::isActive();
        harmlessPolls = isHarmless ? harmlessPolls + 1 : 0;
    }
    if (!m_isOver)
        core::endAtOnce(static_cast<int>(ExitCode::Interrupted), "error: stopped on request [interrupted]\n");
}

} // namespace app
