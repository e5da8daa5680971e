#include "app/services/run/record_run.h"

#include "core/profile/records/tee_sink.h"
#include "core/profile/writer/profile_writer.h"

#include <fmt/format.h>

namespace app {

core::Result<RecordedRun> recordRun(const simulator::RunRequest& request, core::ProfileDatabase& database,
                                    const core::JobContext& job, const RecordOptions& options) {
    // Known before hours of training, not after them.
    if (auto writable = core::tryWriting(database); !writable)
        return core::failure(std::move(writable.error()));
    core::ProfileWriter writer(database);
    const auto simulate = [&](core::ProfileSink& sink) {
        return options.executable != nullptr
                   ? simulator::runExecutable(*options.executable, request, sink, job)
                   : simulator::run(request, sink, job);
    };
    const auto record = [&] {
        if (options.listener == nullptr)
            return simulate(writer);
        core::TeeSink both({&writer, options.listener});
        return simulate(both);
    };
    auto summary = record();
    if (!summary) {
        if (const auto kept = writer.kept())
            summary.error().front().hints.push_back(
                fmt::format("the epochs that were finished are kept: `show {}`", kept->value()));
        writer.abandon(job.isCancelled() ? core::RunState::Cancelled : core::RunState::Failed,
                       summary.error());
        return core::failure(std::move(summary.error()));
    }
    const auto id = writer.outcome();
    if (!id)
        return core::failure(id.error());
    return RecordedRun{*id, std::move(*summary)};
}

core::Diagnostics withFile(core::Diagnostics findings, const std::string& file) {
    for (core::Diagnostic& finding : findings) {
        if (finding.location.file.empty())
            finding.location.file = file;
    }
    return findings;
}

} // namespace app
