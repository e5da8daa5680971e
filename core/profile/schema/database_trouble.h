#pragma once

#include "core/base/result.h"
#include "core/profile/schema/profile_database.h"

#include <SQLiteCpp/Exception.h>
#include <string>
#include <string_view>

// Private to the folder: turns what SQLite throws into diagnostics, so that nothing is thrown across its
// border.

namespace core {

/// What SQLite refused, for people.
[[nodiscard]] Diagnostic databaseTrouble(const std::filesystem::path& path, const SQLite::Exception& error);

/// Runs `work`, which answers a Result, and turns an exception of SQLite into a failure.
template <class Work>
auto guarded(const ProfileDatabase& database, Work&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const SQLite::Exception& error) {
        return failure(databaseTrouble(database.path(), error));
    }
}

/// What is in a table, for people: "lifetimes of tensors" of live_range. The table's name where it is none of
/// those.
[[nodiscard]] std::string tableWords(std::string_view table);

/// Those of span_block.
inline constexpr std::string_view timelineEvents = "events of the timeline";

/// Whether a page, or what is on it, cannot be read.
[[nodiscard]] bool isDamage(const SQLite::Exception& error);

/// Does `work` on a part of an answer. Where it meets a damaged page and the database keeps what is left, the
/// part is noted as lost, and false answered; else it throws as `work` does.
template <class Work>
bool keepingWhatIsLeft(const ProfileDatabase& database, std::string_view part, Work&& work) {
    try {
        work();
        return true;
    } catch (const SQLite::Exception& error) {
        if (!database.keepsWhatIsLeft() || !isDamage(error))
            throw;
        database.noteLoss(part);
        return false;
    }
}

/// `guarded` for a part of what is shown: where it is on a damaged page and the database keeps what is left,
/// the answer is empty.
template <class Work>
auto guardedPart(const ProfileDatabase& database, std::string_view part, Work&& work) -> decltype(work()) {
    return guarded(database, [&]() -> decltype(work()) {
        decltype(work()) answer = typename decltype(work())::value_type();
        keepingWhatIsLeft(database, part, [&] { answer = work(); });
        return answer;
    });
}

} // namespace core
