#pragma once

#include "core/base/ids.h"
#include "core/profile/records/output_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/theme/theme.h"
#include "views/profile/tables/table_content.h"

#include <span>
#include <string>
#include <vector>

class QPainter;

namespace views {

/// An output of a run that predicts, with its stored samples one after the other.
struct PredictedOutput {
    core::ModelOutputRecord record;
    /// Row-major, `perSample` of each sample.
    std::vector<double> values;
    std::size_t perSample = 0;

    [[nodiscard]] std::size_t samples() const { return perSample == 0 ? 0 : values.size() / perSample; }
    [[nodiscard]] std::span<const double> sample(std::size_t index) const {
        return std::span(values).subspan(index * perSample, perSample);
    }
    /// Rows, columns and 1, 3 or 4 channels.
    [[nodiscard]] bool isImage() const;
    /// One axis of several numbers: a distribution over classes, logits, or an embedding.
    [[nodiscard]] bool isVector() const { return record.shape.size() == 2 && perSample > 1; }
};

/// What a run predicted, in the order of the model's outputs; empty for runs that train.
[[nodiscard]] core::Result<std::vector<PredictedOutput>>
loadPredictions(const core::ProfileDatabase& database, core::RunId run);

/// A row for each stored sample. Vectors: the place of the largest and of the next value; others: the extent
/// of the values.
[[nodiscard]] TableContent predictionTable(const PredictedOutput& output);

/// An image as pixels from its smallest value to its largest, other values as bars around zero.
void paintPrediction(QPainter& painter, const QRectF& rect, const PredictedOutput& output, std::size_t sample,
                     const Theme& theme);

} // namespace views
