#include "core/profile/writer/profile_writer.h"

#include "core/platform/process_identity.h"
#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/enum_codes.h"
#include "core/profile/writer/moved_database.h"
#include "core/profile/writer/record_rows.h"
#include "core/profile/writer/span_spool.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/core.h>

namespace core {

namespace {

void setState(SQLite::Database& connection, RunId run, RunState state) {
    SQLite::Statement update(connection, "UPDATE run SET state = ? WHERE id = ?");
    update.bind(1, codeOf(state));
    update.bind(2, static_cast<std::int64_t>(run.value()));
    update.exec();
}

} // namespace

ProfileWriter::ProfileWriter(ProfileDatabase& database)
    : m_database(database)
    , m_spans(std::make_unique<SpanSpool>()) {}

ProfileWriter::~ProfileWriter() {
    abandon(RunState::Failed);
}

void ProfileWriter::spans(std::span<const SpanRecord> records) {
    m_spans->add(records);
}

void ProfileWriter::begin(const RunProvenance& provenance) {
    m_records.begin(provenance);
    const auto id = guarded(m_database, [&]() -> Result<std::int64_t> {
        SQLite::Database& connection = m_database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        const std::int64_t run = insertRun(connection, provenance, currentProcess());
        transaction.commit();
        return run;
    });
    if (!id) {
        m_refusals = id.error();
        return;
    }
    m_run = RunId(static_cast<std::size_t>(*id));
    m_recording.emplace();
}

Result<void> ProfileWriter::writeRecords(RunState state) {
    return guarded(m_database, [&]() -> Result<void> {
        if (auto inPlace = checkPlace(m_database); !inPlace)
            return inPlace;
        SQLite::Database& connection = m_database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        insertRecords(connection, m_run.value(), m_records, *m_spans);
        setState(connection, m_run, state);
        transaction.commit();
        return checkPlace(m_database);
    });
}

void ProfileWriter::finish(const RunSummary& summary) {
    // The beginning was refused: the results are there all the same.
    if (!m_recording && !m_refusals.empty() && !m_records.isComplete()) {
        m_records.finish(summary);
        keepBeside();
    }
    if (!m_recording)
        return;
    m_records.finish(summary);
    if (const auto written = writeRecords(RunState::Complete); !written) {
        m_refusals = written.error();
        keepBeside();
        abandon(RunState::Failed, m_refusals);
        return;
    }
    m_recording.reset();
    m_isComplete = true;
}

void ProfileWriter::stopped(const RunSummary& summary) {
    if (!m_recording)
        return;
    m_records.finish(summary);
    // What refuses them leaves the run to `abandon`.
    if (const auto written = writeRecords(RunState::Cancelled); !written)
        return;
    m_recording.reset();
    m_kept = m_run;
}

/// A training of hours must not be lost to a file that went away.
void ProfileWriter::keepBeside() {
    const std::filesystem::path path = recoveredPath(m_database.path());
    const auto store = [&]() -> Result<void> {
        auto beside = ProfileDatabase::open(path);
        if (!beside)
            return failure(beside.error());
        return guarded(*beside, [&]() -> Result<void> {
            SQLite::Database& connection = beside->connection();
            SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
            const std::int64_t run = insertRun(connection, m_records.provenance(), currentProcess());
            insertRecords(connection, run, m_records, *m_spans);
            setState(connection, RunId(static_cast<std::size_t>(run)), RunState::Complete);
            transaction.commit();
            return {};
        });
    };
    if (store()) {
        std::vector<std::string>& hints = m_refusals.front().hints;
        hints.insert(hints.begin(), fmt::format("the results are kept in {}: `show last --database {}`",
                                                path.string(), path.string()));
        return;
    }
    // An empty or half database beside would promise what is not there.
    removeDatabase(path);
}

void ProfileWriter::abandon(RunState state, const Diagnostics& reasons) {
    if (!m_recording)
        return;
    m_recording.reset();
    const auto written = guarded(m_database, [&]() -> Result<void> {
        SQLite::Database& connection = m_database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        insertDiagnostics(connection, m_run.value(), reasons);
        setState(connection, m_run, state);
        transaction.commit();
        return {};
    });
    // A refusal here changes nothing: the run is recording until its process ends, and interrupted then.
    if (!written && m_refusals.empty())
        m_refusals = written.error();
}

Result<RunId> ProfileWriter::outcome() const {
    if (m_isComplete)
        return m_run;
    if (!m_refusals.empty())
        return failure(m_refusals);
    return failure(makeError(Trouble::Internal, "database/unfinished", {m_database.path().string(), ""},
                             "the run was not finished, so it is not stored", {"run the project again"}));
}

Result<void> tryWriting(const ProfileDatabase& database) {
    return guarded(database, [&]() -> Result<void> {
        // Rolled back at once.
        const SQLite::Transaction transaction(database.connection(), SQLite::TransactionBehavior::IMMEDIATE);
        return checkPlace(database);
    });
}

} // namespace core
