#include "app/window/dialogs/run_finder.h"

namespace app {

const std::vector<core::SearchHit>& RunFinder::hitsOf(const std::filesystem::path& path, core::RunId run,
                                                      const QString& text) {
    if (m_path == path && m_run == run && m_text == text)
        return m_hits;
    m_path = path;
    m_run = run;
    m_text = text;
    m_hits.clear();
    // The rest of a long list is for the timeline's own search.
    constexpr std::int64_t mostOfAKind = 8;
    m_query.request<core::SearchHits>(
        path,
        [run, words = text.toStdString()](const core::ProfileDatabase& database) {
            return core::searchRun(database, run, words, mostOfAKind);
        },
        [this](core::Result<core::SearchHits> answer) {
            if (!answer || answer->hits.empty())
                return;
            m_hits = std::move(answer->hits);
            emit found();
        });
    return m_hits;
}

} // namespace app
