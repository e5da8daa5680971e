#include "core/profile/writer/profile_writer.h"

#include "core/profile/schema/database_trouble.h"
#include "core/profile/schema/enum_codes.h"
#include "core/process/process_identity.h"
#include "core/profile/writer/record_rows.h"

#include <SQLiteCpp/SQLiteCpp.h>

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
    : m_database(database) {}

ProfileWriter::~ProfileWriter() {
    abandon(RunState::Failed);
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
    m_isRecording = true;
}

void ProfileWriter::finish(const RunSummary& summary) {
    if (!m_isRecording)
        return;
    m_records.finish(summary);
    const auto written = guarded(m_database, [&]() -> Result<void> {
        SQLite::Database& connection = m_database.connection();
        SQLite::Transaction transaction(connection, SQLite::TransactionBehavior::IMMEDIATE);
        insertRecords(connection, m_run.value(), m_records);
        setState(connection, m_run, RunState::Complete);
        transaction.commit();
        return {};
    });
    if (!written) {
        m_refusals = written.error();
        abandon(RunState::Failed, m_refusals);
        return;
    }
    m_isRecording = false;
    m_isComplete = true;
}

void ProfileWriter::abandon(RunState state, const Diagnostics& reasons) {
    if (!m_isRecording)
        return;
    m_isRecording = false;
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
    return failure(Diagnostic{Severity::Error,
                              Trouble::Internal,
                              "database/unfinished",
                              {m_database.path().string(), ""},
                              "the run was not finished, so it is not stored",
                              {}});
}

} // namespace core
