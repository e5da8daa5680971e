#pragma once

#include "views/common/widgets/picture_export.h"
#include "views/training/recorded_painter.h"

#include <QWidget>
#include <memory>

class QComboBox;

namespace views {

/// What a run recorded beside its metrics, one kind at a time, with what to choose from above it.
class RecordedPanel final : public QWidget {
    Q_OBJECT

public:
    enum class Kind : std::uint8_t { Confusion, Tensors, Samples };

    explicit RecordedPanel(QWidget* parent = nullptr);

    /// Null for a run that is still on its way.
    void setRecorded(std::shared_ptr<const RecordedTraining> recorded);
    void setKind(Kind kind);
    /// Whether the run recorded any of it.
    [[nodiscard]] bool has(Kind kind) const;
    [[nodiscard]] Kind kind() const { return m_kind; }

    /// The output or the tensor, and the epoch, that are shown; the last epoch to begin with.
    [[nodiscard]] QComboBox& subjects() const { return *m_subjects; }
    [[nodiscard]] QComboBox& epochs() const { return *m_epochs; }

    void paint(QPainter& painter, const QRectF& rect) const;
    /// What is shown, as a file; it is painted before the panel shows anything else.
    [[nodiscard]] Picture picture() const;

private:
    class Canvas;

    void fillSubjects();
    void fillEpochs();
    [[nodiscard]] std::string output() const;
    [[nodiscard]] std::int64_t epoch() const;

    std::shared_ptr<const RecordedTraining> m_recorded;
    std::vector<RecordedTensor> m_tensors;
    Kind m_kind = Kind::Confusion;
    QComboBox* m_subjects;
    QComboBox* m_epochs;
    Canvas* m_canvas;
};

} // namespace views
