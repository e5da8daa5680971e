#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>
#include <vector>

namespace tests {

/// A text as it was painted.
struct PaintedText {
    QString text;
    /// From the base line's begin to its end, in the coordinates of the widget.
    QPointF at;
    double width = 0;
};

/// A device that keeps the texts of what is painted on it.
class TextRecorder final : public QPaintDevice {
public:
    explicit TextRecorder(QSize size)
        : m_size(size) {}

    [[nodiscard]] QPaintEngine* paintEngine() const override { return &m_engine; }
    [[nodiscard]] const std::vector<PaintedText>& texts() const { return m_engine.texts; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return int(devicePixelRatioFScale());
        case PdmDepth:
            return 32;
        default:
            return 96;
        }
    }

private:
    class Engine final : public QPaintEngine {
    public:
        Engine()
            : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState& state) override {
            if (state.state() & DirtyTransform)
                m_transform = state.transform();
        }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            texts.push_back({item.text(), m_transform.map(at), item.width()});
        }
        [[nodiscard]] Type type() const override { return User; }

        std::vector<PaintedText> texts;

    private:
        QTransform m_transform;
    };

    QSize m_size;
    mutable Engine m_engine;
};

inline std::vector<PaintedText> paintedTexts(QWidget& widget) {
    TextRecorder recorder(widget.size());
    widget.render(&recorder);
    return recorder.texts();
}

} // namespace tests
