#include "core/profile/records/profile_sink.h"

#include "core/profile/records/callback_record.h"
#include "core/profile/records/output_records.h"
#include "core/profile/records/training_records.h"

namespace core {

void ProfileSink::callbacks(std::span<const CallbackRecord> /*records*/) {}

void ProfileSink::trainingRecords(const TrainingRecords& /*records*/) {}

void ProfileSink::modelOutputs(const ModelOutputRecords& /*records*/) {}

void ProfileSink::stopped(const RunSummary&) {}

} // namespace core
