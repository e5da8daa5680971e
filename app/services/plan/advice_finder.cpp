#include "app/services/plan/advice_finder.h"

namespace app {

namespace {

constexpr int restMilliseconds = 700;

} // namespace

AdviceFinder::AdviceFinder(views::Document& document, ProjectChecks& checks, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_checks(checks)
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(restMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &AdviceFinder::look);
    connect(&document, &views::Document::estimateChanged, this, [this] { m_timer.start(); });
    connect(&document, &views::Document::projectChanged, this, [this] {
        m_runner.cancel();
        m_timer.start();
    });
    connect(&document, &views::Document::opened, this, [this] {
        m_askedOf.reset();
        m_runner.cancel();
    });
}

/// From the thread that looks: what is quickly found need not wait for the search.
void AdviceFinder::tellEarly(const views::ProjectSnapshot& of, const simulator::Recommendations& early) {
    if (early.advice.empty() && early.remedies.empty())
        return;
    QMetaObject::invokeMethod(
        this,
        [this, of, early] {
            if (of == m_document.snapshot())
                emit found(of, early);
        },
        Qt::QueuedConnection);
}

void AdviceFinder::look() {
    const views::ProjectSnapshot snapshot = m_document.snapshot();
    if (!snapshot || snapshot == m_askedOf || !m_document.isEstimateCurrent() || m_document.preview())
        return;
    if (!m_document.estimate()->refusal.empty() || !m_document.estimate()->uncounted.empty())
        return;
    m_askedOf = snapshot;
    m_runner.request([this, snapshot, present = *m_document.estimate(), file = m_document.path().string(),
                      folder = m_document.folder(),
                      cache = m_cache](const core::JobContext& job) -> views::LatestRunner::Deliver {
        const auto check = m_checks.check(snapshot, file, folder);
        auto recommended = std::make_shared<simulator::Recommendations>(simulator::recommend(
            {*snapshot, present, check->facts, file, folder}, *cache, job,
            [this, snapshot](const simulator::Recommendations& early) { tellEarly(snapshot, early); }));
        return [this, snapshot, recommended] { emit found(snapshot, *recommended); };
    });
}

} // namespace app
