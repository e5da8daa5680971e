#include "core/profile/records/training_records.h"

namespace core {

namespace {

template <class Record>
void appendAll(std::vector<Record>& all, const std::vector<Record>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

} // namespace

std::string_view toString(TrainedTensorKind kind) {
    return kind == TrainedTensorKind::Weight ? "weight" : "gradient";
}

void TrainingRecords::append(const TrainingRecords& more) {
    appendAll(tensors, more.tensors);
    appendAll(confusion, more.confusion);
    appendAll(predictions, more.predictions);
    appendAll(images, more.images);
}

} // namespace core
