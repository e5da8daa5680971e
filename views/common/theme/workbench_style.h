#pragma once

#include <QProxyStyle>

namespace views {

/// Draws the controls of the program on top of Fusion: buttons, fields, checks, rows and focus rings, all in
/// the active theme. What has no rule here or in workbench.qss looks as Fusion draws it with our palette.
///
/// Dynamic properties: `kind` of a button ("primary", "quiet", "danger", "danger-fill", "segment"), `small`
/// of a button or field (22 / 24 px high), `invalid` of a field (error frame).
class WorkbenchStyle final : public QProxyStyle {
    Q_OBJECT

public:
    WorkbenchStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    void polish(QWidget* widget) override;
    using QProxyStyle::polish;
};

} // namespace views
