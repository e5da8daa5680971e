#pragma once

#include "core/profile/writer/profile_writer.h"
#include "tests/support/synthetic_run.h"

#include <QTemporaryDir>
#include <filesystem>

namespace tests {

/// A profile database in a folder of its own, with made-up runs.
class StoredRuns {
public:
    [[nodiscard]] std::filesystem::path path() const {
        return (m_folder.path() + "/runs.sqlite").toStdString();
    }
    core::RunId add(const SyntheticRun& run = {}) {
        auto database = core::ProfileDatabase::open(path());
        core::ProfileWriter writer(*database);
        record(run, writer);
        return writer.outcome().value();
    }

private:
    QTemporaryDir m_folder;
};

} // namespace tests
