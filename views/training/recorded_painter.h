#pragma once

#include "views/common/theme/theme.h"
#include "views/training/recorded_data.h"

#include <span>

class QPainter;

namespace views {

/// Truths as rows, predictions as columns; a cell as dark as its share of its row, with its count where it
/// has space. The diagonal is framed.
void paintConfusion(QPainter& painter, const QRectF& rect, const ConfusionMatrix& matrix, const Theme& theme);

/// How the values of a tensor spread, one outline per recorded update, the newest in front; all on one axis
/// of values. Of many updates, as many as have space.
void paintHistograms(QPainter& painter, const QRectF& rect, const RecordedTensor& tensor, const Theme& theme);

/// A sample that was predicted, as a card is drawn for it.
struct SampleCard {
    const core::SamplePredictionRecord* prediction = nullptr;
    /// Null where the run recorded none.
    const core::SampleImageRecord* image = nullptr;
};
/// The cards of an output at the end of an epoch.
[[nodiscard]] std::vector<SampleCard> sampleCards(const RecordedTraining& recorded, const std::string& output,
                                                  std::int64_t epoch);
/// Pictures with truth and prediction, row by row, as many as have space.
void paintSamples(QPainter& painter, const QRectF& rect, std::span<const SampleCard> cards,
                  const Theme& theme);

} // namespace views
