#pragma once

#include "core/base/ids.h"

#include <QWidget>
#include <optional>
#include <vector>

class QComboBox;
class QHBoxLayout;

namespace views {

class SegmentedControl;

/// Chooses one of a run's IPUs: a row of buttons for a few, a list for many.
class IpuChooser final : public QWidget {
    Q_OBJECT

public:
    explicit IpuChooser(QWidget* parent = nullptr);

    /// Without a signal. Keeps what there is when nothing differs.
    void setIpus(const std::vector<core::IpuId>& ipus, std::optional<core::IpuId> current);

signals:
    void chosen(core::IpuId ipu);

private:
    void rebuild();
    void showCurrent();

    QHBoxLayout* m_layout;
    SegmentedControl* m_buttons = nullptr;
    QComboBox* m_list = nullptr;
    std::vector<core::IpuId> m_ipus;
    std::optional<core::IpuId> m_current;
};

} // namespace views
