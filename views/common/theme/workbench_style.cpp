#include "views/common/theme/workbench_style.h"

#include "views/common/theme/control_painters.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QStyleOption>

namespace views {

namespace {

bool isSmall(const QWidget* widget) {
    return widget != nullptr && widget->property("small").toBool();
}

ButtonKind kindOf(const QWidget* widget) {
    return widget == nullptr ? ButtonKind::Default : buttonKindFromName(widget->property("kind").toString());
}

ControlState stateOf(const QStyleOption* option, const QWidget* widget) {
    ControlState state;
    state.enabled = option->state.testFlag(QStyle::State_Enabled);
    state.hovered = state.enabled && option->state.testFlag(QStyle::State_MouseOver);
    state.pressed = state.enabled && option->state.testFlag(QStyle::State_Sunken);
    state.focused = option->state.testFlag(QStyle::State_HasFocus);
    state.checked = option->state.testFlag(QStyle::State_On);
    state.mixed = option->state.testFlag(QStyle::State_NoChange);
    state.error = widget != nullptr && widget->property("invalid").toBool();
    return state;
}

/// The ring of a button is for the keyboard; after a click the pressed surface has said enough.
ControlState buttonState(const QStyleOption* option, const QWidget* widget) {
    ControlState state = stateOf(option, widget);
    state.focused = state.focused && option->state.testFlag(QStyle::State_KeyboardFocusChange);
    return state;
}

void drawArrow(QPainter* painter, const QRect& rect, const QString& name, const QColor& color,
               const Theme& theme, double rotation = 0) {
    const double side = std::min({theme.px(12), double(rect.width()), double(rect.height())});
    painter->save();
    painter->translate(QRectF(rect).center());
    painter->rotate(rotation);
    paintIcon(*painter, QRectF(-side / 2, -side / 2, side, side), name, color);
    painter->restore();
}

void drawArrow(QPainter* painter, const QRect& rect, const QString& name, bool enabled, const Theme& theme,
               double rotation = 0) {
    drawArrow(painter, rect, name, theme.color(enabled ? Role::Text2 : Role::Disabled), theme, rotation);
}

void drawBranch(const QStyleOption* option, QPainter* painter, const Theme& theme) {
    if (!option->state.testFlag(QStyle::State_Children))
        return;
    const bool open = option->state.testFlag(QStyle::State_Open);
    drawArrow(painter, option->rect, open ? QStringLiteral("chevron") : QStringLiteral("chevron-right"), true,
              theme);
}

void drawItemPanel(const QStyleOptionViewItem* option, QPainter* painter, const Theme& theme) {
    if (option->backgroundBrush.style() != Qt::NoBrush)
        painter->fillRect(option->rect, option->backgroundBrush);
    if (option->state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option->rect, theme.color(Role::AccentSoft));
        // Tables do not set the position, trees do.
        const bool first = option->viewItemPosition == QStyleOptionViewItem::Invalid
                               ? option->index.column() <= 0
                               : option->viewItemPosition == QStyleOptionViewItem::Beginning ||
                                     option->viewItemPosition == QStyleOptionViewItem::OnlyOne;
        if (first)
            painter->fillRect(QRect(option->rect.left(), option->rect.top(), 2, option->rect.height()),
                              theme.color(Role::Accent));
        if (theme.kind() == ThemeKind::HighContrast) {
            painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1),
                              theme.color(Role::Accent));
            painter->fillRect(QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
                              theme.color(Role::Accent));
        }
    } else if (option->state.testFlag(QStyle::State_MouseOver)) {
        painter->fillRect(option->rect, theme.color(Role::Hover));
    }
}

void drawButtonLabel(const QStyleOptionButton* option, QPainter* painter, const QWidget* widget) {
    const Theme& theme = themeOf(widget);
    const QColor color = buttonTextColor(kindOf(widget), buttonState(option, widget), theme);
    const QSize iconSize = option->icon.isNull() ? QSize(0, 0) : option->iconSize;
    const int gap = iconSize.isEmpty() || option->text.isEmpty() ? 0 : theme.ipx(6);
    const QFontMetrics metrics(painter->font());
    const int menuWidth = option->features.testFlag(QStyleOptionButton::HasMenu) ? theme.ipx(14) : 0;
    const int space = option->rect.width() - theme.ipx(10) - menuWidth - iconSize.width() - gap;
    QString text = option->text;
    if (metrics.size(Qt::TextShowMnemonic, text).width() > space)
        text = metrics.elidedText(text, Qt::ElideRight, space, Qt::TextShowMnemonic);
    const int width = iconSize.width() + gap + metrics.size(Qt::TextShowMnemonic, text).width() + menuWidth;
    int x = option->rect.center().x() - width / 2 + 1;
    if (!iconSize.isEmpty()) {
        const QRect place(x, option->rect.center().y() - iconSize.height() / 2 + 1, iconSize.width(),
                          iconSize.height());
        const QIcon::Mode mode =
            option->state.testFlag(QStyle::State_Enabled) ? QIcon::Normal : QIcon::Disabled;
        option->icon.paint(painter, place, Qt::AlignCenter, mode,
                           option->state.testFlag(QStyle::State_On) ? QIcon::On : QIcon::Off);
        x += iconSize.width() + gap;
    }
    painter->setPen(color);
    const QRect textRect(x, option->rect.top(), space, option->rect.height());
    painter->drawText(textRect, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic, text);
    if (menuWidth > 0)
        drawArrow(painter,
                  QRect(option->rect.right() - menuWidth - theme.ipx(4), option->rect.top(), menuWidth,
                        option->rect.height()),
                  QStringLiteral("chevron"), color, theme);
}

/// Icon and text of a tool button, beside each other.
void drawToolLabel(const QStyleOptionToolButton* option, QPainter* painter, const QColor& color,
                   const Theme& theme) {
    const bool withIcon = !option->icon.isNull() && option->toolButtonStyle != Qt::ToolButtonTextOnly;
    const bool withText = !option->text.isEmpty() && option->toolButtonStyle != Qt::ToolButtonIconOnly;
    const bool hasMenu = option->features.testFlag(QStyleOptionToolButton::HasMenu);
    const int side = withIcon ? theme.ipx(14) : 0;
    const int gap = withIcon && withText ? theme.ipx(6) : 0;
    const int menu = hasMenu ? theme.ipx(14) : 0;
    const QFontMetrics metrics(option->font);
    const int textWidth = withText ? metrics.size(Qt::TextShowMnemonic, option->text).width() : 0;
    int x = option->rect.center().x() - (side + gap + textWidth + menu) / 2 + 1;
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    if (withIcon) {
        option->icon.paint(painter, QRect(x, option->rect.center().y() - side / 2 + 1, side, side),
                           Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled,
                           option->state.testFlag(QStyle::State_On) ? QIcon::On : QIcon::Off);
        x += side + gap;
    }
    if (withText) {
        painter->setPen(color);
        painter->setFont(option->font);
        painter->drawText(QRect(x, option->rect.top(), textWidth + 2, option->rect.height()),
                          Qt::AlignLeft | Qt::AlignVCenter | Qt::TextShowMnemonic, option->text);
    }
    if (hasMenu)
        drawArrow(painter,
                  QRect(option->rect.right() - menu - theme.ipx(3), option->rect.top(), menu,
                        option->rect.height()),
                  QStringLiteral("chevron"), color, theme);
}

void drawProgress(const QStyleOptionProgressBar* option, QPainter* painter, const Theme& theme) {
    const double height = theme.px(6);
    const QRectF track(option->rect.left(), option->rect.center().y() + 0.5 - height / 2,
                       option->rect.width(), height);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.color(Role::Hover));
    painter->drawRoundedRect(track, height / 2, height / 2);
    const int range = option->maximum - option->minimum;
    if (range > 0) {
        const double share = double(option->progress - option->minimum) / range;
        QRectF bar = track;
        bar.setWidth(std::max(height, track.width() * share));
        painter->setBrush(theme.color(Role::AccentFill));
        if (share > 0)
            painter->drawRoundedRect(bar, height / 2, height / 2);
    }
    painter->restore();
}

void drawCombo(const QStyle* style, const QStyleOptionComboBox* option, QPainter* painter,
               const QWidget* widget) {
    ControlState state = stateOf(option, widget);
    state.focused =
        state.focused && (option->editable || option->state.testFlag(QStyle::State_KeyboardFocusChange));
    const Theme& theme = themeOf(widget);
    paintField(*painter, option->rect, state, theme);
    if (option->subControls.testFlag(QStyle::SC_ComboBoxArrow))
        drawArrow(painter,
                  style->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxArrow, widget),
                  QStringLiteral("chevron"), state.enabled, theme);
}

void drawSpin(const QStyle* style, const QStyleOptionSpinBox* option, QPainter* painter,
              const QWidget* widget) {
    const ControlState state = stateOf(option, widget);
    const Theme& theme = themeOf(widget);
    paintField(*painter, option->rect, state, theme);
    if (option->buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    const QRect up = style->subControlRect(QStyle::CC_SpinBox, option, QStyle::SC_SpinBoxUp, widget);
    const QRect down = style->subControlRect(QStyle::CC_SpinBox, option, QStyle::SC_SpinBoxDown, widget);
    drawArrow(painter, up, QStringLiteral("chevron"),
              state.enabled && option->stepEnabled.testFlag(QAbstractSpinBox::StepUpEnabled), theme, 180);
    drawArrow(painter, down, QStringLiteral("chevron"),
              state.enabled && option->stepEnabled.testFlag(QAbstractSpinBox::StepDownEnabled), theme);
}

void drawSlider(const QStyle* style, const QStyleOptionSlider* option, QPainter* painter,
                const QWidget* widget) {
    const Theme& theme = themeOf(widget);
    const ControlState state = stateOf(option, widget);
    const QRectF handle = style->subControlRect(QStyle::CC_Slider, option, QStyle::SC_SliderHandle, widget);
    const double middle = option->rect.center().y() + 0.5;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    const QRectF track(option->rect.left(), middle - 2, option->rect.width(), 4);
    painter->setBrush(theme.color(Role::Border));
    painter->drawRoundedRect(track, 2, 2);
    painter->setBrush(theme.color(state.enabled ? Role::AccentFill : Role::Disabled));
    painter->drawRoundedRect(QRectF(track.left(), track.top(), handle.center().x() - track.left(), 4), 2, 2);
    const double radius = theme.px(6);
    const QRectF knob(handle.center().x() - radius, middle - radius, 2 * radius, 2 * radius);
    paintCard(*painter, knob, radius, theme.color(Role::Raised), theme.color(Role::Accent), 2);
    if (state.focused)
        paintFocusRing(*painter, knob.adjusted(-3, -3, 3, 3), radius + 3, theme);
    painter->restore();
}

} // namespace

WorkbenchStyle::WorkbenchStyle()
    : QProxyStyle(QStringLiteral("Fusion")) {
    setObjectName(QStringLiteral("workbench"));
}

int WorkbenchStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    const Theme& theme = themeOf(widget);
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return theme.ipx(16);
    case PM_ScrollBarExtent:
        return theme.ipx(10);
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
    case PM_DefaultFrameWidth:
    case PM_DockWidgetFrameWidth:
        return 1;
    case PM_SmallIconSize:
        return theme.ipx(16);
    case PM_ButtonIconSize:
    case PM_TabBarIconSize:
    case PM_ListViewIconSize:
        return theme.ipx(14);
    case PM_TreeViewIndentation:
        return theme.ipx(16);
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
        return theme.ipx(16);
    case PM_MenuButtonIndicator:
        return theme.ipx(14);
    case PM_ToolBarItemMargin:
    case PM_ToolBarFrameWidth:
        return 0; // the bar in it has margins of its own
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_FocusFrameHMargin:
    case PM_FocusFrameVMargin:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int WorkbenchStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                              QStyleHintReturn* data) const {
    switch (hint) {
    case SH_ToolTip_WakeUpDelay:
        return 500;
    case SH_EtchDisabledText:
    case SH_Widget_Animation_Duration:
    case SH_Menu_FlashTriggeredItem:
    case SH_ComboBox_Popup:
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QSize WorkbenchStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                       const QWidget* widget) const {
    const Theme& theme = themeOf(widget);
    const int buttonHeight = theme.ipx(isSmall(widget) ? 22 : 28);
    const int fieldHeight = theme.ipx(isSmall(widget) ? 24 : 28);
    QSize result = QProxyStyle::sizeFromContents(type, option, size, widget);
    switch (type) {
    case CT_PushButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            const int text = button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width();
            const int image = button->icon.isNull() ? 0 : button->iconSize.width();
            const int gap = text > 0 && image > 0 ? theme.ipx(6) : 0;
            const int menu = button->features.testFlag(QStyleOptionButton::HasMenu) ? theme.ipx(14) : 0;
            const int padding = text > 0 ? theme.ipx(isSmall(widget) ? 16 : 24) : theme.ipx(12);
            result.setWidth(text + image + gap + menu + padding);
        }
        result.setHeight(buttonHeight);
        return result;
    case CT_ToolButton:
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
            const bool withIcon = !button->icon.isNull() && button->toolButtonStyle != Qt::ToolButtonTextOnly;
            const bool withText =
                !button->text.isEmpty() && button->toolButtonStyle != Qt::ToolButtonIconOnly;
            const int text =
                withText ? button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width() : 0;
            const int image = withIcon ? theme.ipx(14) : 0;
            const int gap = withIcon && withText ? theme.ipx(6) : 0;
            const int menu = button->features.testFlag(QStyleOptionToolButton::HasMenu) ? theme.ipx(14) : 0;
            return {text + image + gap + menu + theme.ipx(withText ? 18 : 12), buttonHeight};
        }
        return result;
    case CT_LineEdit:
    case CT_SpinBox:
        result.setHeight(fieldHeight);
        return result;
    case CT_ComboBox:
        result.setHeight(fieldHeight);
        result.rwidth() += theme.ipx(4);
        return result;
    case CT_ItemViewItem:
        result.setHeight(std::max(result.height(), theme.ipx(24)));
        return result;
    default:
        return result;
    }
}

QRect WorkbenchStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                     SubControl part, const QWidget* widget) const {
    const Theme& theme = themeOf(widget);
    const QRect all = option->rect;
    const int button = theme.ipx(18);
    if (control == CC_SpinBox) {
        const int half = all.height() / 2;
        switch (part) {
        case SC_SpinBoxUp:
            return {all.right() - button, all.top() + 2, button, half - 2};
        case SC_SpinBoxDown:
            return {all.right() - button, all.top() + half, button, half - 2};
        case SC_SpinBoxEditField:
            return all.adjusted(3, 1, -button - 1, -1);
        default:
            break;
        }
    }
    if (control == CC_ComboBox) {
        if (part == SC_ComboBoxArrow)
            return {all.right() - button - 3, all.top(), button, all.height()};
        if (part == SC_ComboBoxEditField)
            return all.adjusted(theme.ipx(6), 1, -button - 5, -1);
    }
    return QProxyStyle::subControlRect(control, option, part, widget);
}

void WorkbenchStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const {
    const Theme& theme = themeOf(widget);
    switch (element) {
    case PE_PanelButtonCommand:
        paintButtonPanel(*painter, option->rect, kindOf(widget), buttonState(option, widget), theme);
        return;
    case PE_PanelButtonTool: {
        ButtonKind kind = kindOf(widget);
        if (kind == ButtonKind::Default)
            kind = ButtonKind::Quiet;
        paintButtonPanel(*painter, option->rect, kind, buttonState(option, widget), theme);
        return;
    }
    case PE_PanelLineEdit:
        // An editor inside a combo box, spin box or cell has its frame drawn for it.
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame != nullptr && frame->lineWidth > 0)
            paintField(*painter, option->rect, stateOf(option, widget), theme);
        else if (widget != nullptr &&
                 qobject_cast<const QAbstractItemView*>(
                     widget->parentWidget() ? widget->parentWidget()->parentWidget() : nullptr) != nullptr)
            painter->fillRect(option->rect, theme.color(Role::Field));
        return;
    case PE_FrameLineEdit:
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        paintCheckIndicator(*painter, option->rect, buttonState(option, widget), theme);
        return;
    case PE_IndicatorRadioButton:
        paintRadioIndicator(*painter, option->rect, buttonState(option, widget), theme);
        return;
    case PE_FrameFocusRect:
        if (option->state.testFlag(State_KeyboardFocusChange) &&
            qobject_cast<const QAbstractButton*>(widget) == nullptr)
            paintFocusRing(*painter, option->rect, theme.px(3), theme);
        return;
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
        drawArrow(painter, option->rect, QStringLiteral("chevron"), option->state.testFlag(State_Enabled),
                  theme, element == PE_IndicatorArrowUp ? 180 : 0);
        return;
    case PE_IndicatorArrowRight:
    case PE_IndicatorArrowLeft:
        drawArrow(painter, option->rect, QStringLiteral("chevron-right"),
                  option->state.testFlag(State_Enabled), theme, element == PE_IndicatorArrowLeft ? 180 : 0);
        return;
    case PE_IndicatorHeaderArrow:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
            drawArrow(painter, option->rect,
                      header->sortIndicator == QStyleOptionHeader::SortUp ? QStringLiteral("sort-down")
                                                                          : QStringLiteral("sort-up"),
                      true, theme);
        return;
    case PE_IndicatorBranch:
        drawBranch(option, painter, theme);
        return;
    case PE_PanelItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option))
            drawItemPanel(item, painter, theme);
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void WorkbenchStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    if (element == CE_PushButtonLabel) {
        if (const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option)) {
            drawButtonLabel(button, painter, widget);
            return;
        }
    }
    if (element == CE_ProgressBarGroove) {
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option))
            drawProgress(bar, painter, themeOf(widget));
        return;
    }
    if (element == CE_ProgressBarContents || element == CE_ProgressBarLabel)
        return; // the groove has drawn all of it
    if (element == CE_ToolButtonLabel) {
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
            const ButtonKind own = kindOf(widget);
            const ButtonKind kind = own == ButtonKind::Default ? ButtonKind::Quiet : own;
            const Theme& theme = themeOf(widget);
            drawToolLabel(button, painter, buttonTextColor(kind, buttonState(option, widget), theme), theme);
            return;
        }
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void WorkbenchStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                        QPainter* painter, const QWidget* widget) const {
    if (control == CC_ComboBox) {
        if (const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option))
            return drawCombo(this, combo, painter, widget);
    }
    if (control == CC_SpinBox) {
        if (const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option))
            return drawSpin(this, spin, painter, widget);
    }
    if (control == CC_ToolButton) {
        if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option)) {
            drawPrimitive(PE_PanelButtonTool, option, painter, widget);
            drawControl(CE_ToolButtonLabel, button, painter, widget);
            return;
        }
    }
    if (control == CC_Slider) {
        const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
        if (slider != nullptr && slider->orientation == Qt::Horizontal)
            return drawSlider(this, slider, painter, widget);
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void WorkbenchStyle::polish(QWidget* widget) {
    QProxyStyle::polish(widget);
    const bool hovers =
        qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QComboBox*>(widget) != nullptr ||
        qobject_cast<QLineEdit*>(widget) != nullptr || qobject_cast<QAbstractSpinBox*>(widget) != nullptr;
    if (hovers)
        widget->setAttribute(Qt::WA_Hover);
    // A name from a file may look like markup. Labels and tool tips, which are labels, show it as it is
    // unless they ask for rich text themselves.
    if (auto* label = qobject_cast<QLabel*>(widget); label != nullptr && label->textFormat() == Qt::AutoText)
        label->setTextFormat(Qt::PlainText);
    if (auto* edit = qobject_cast<QLineEdit*>(widget); edit != nullptr && edit->hasFrame())
        edit->setTextMargins(themeOf(widget).ipx(5), 0, themeOf(widget).ipx(5), 0);
}

} // namespace views
