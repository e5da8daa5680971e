#pragma once

#include "core/profile/records/memory_profile.h"
#include "core/profile/records/profile_sink.h"

namespace SQLite {
class Database;
}

// Private to the folder: records to rows. Each function runs inside the caller's transaction and throws
// SQLite::Exception.

namespace core {

class SpanSpool;
class TextTable;

[[nodiscard]] std::int64_t insertRun(SQLite::Database& connection, const RunProvenance& provenance,
                                     const std::string& process);
/// Everything a finished run recorded (its spans are in `spans` and not in `records`), its summary included;
/// the state is not touched.
void insertRecords(SQLite::Database& connection, std::int64_t run, const MemoryProfile& records,
                   SpanSpool& spans);
void insertDiagnostics(SQLite::Database& connection, std::int64_t run, const Diagnostics& diagnostics);

} // namespace core
