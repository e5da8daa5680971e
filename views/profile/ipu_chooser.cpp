#include "views/profile/ipu_chooser.h"

#include "views/common/access/box_name.h"
#include "views/common/widgets/segmented_control.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>

namespace views {

namespace {

constexpr std::size_t mostButtons = 8;

} // namespace

IpuChooser::IpuChooser(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QHBoxLayout(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
}

void IpuChooser::setIpus(const std::vector<core::IpuId>& ipus, std::optional<core::IpuId> current) {
    const bool isOther = ipus != m_ipus;
    m_ipus = ipus;
    m_current = current;
    if (isOther)
        rebuild();
    showCurrent();
}

void IpuChooser::rebuild() {
    delete m_buttons;
    delete m_list;
    m_buttons = nullptr;
    m_list = nullptr;
    const auto choose = [this](int index) {
        m_current = m_ipus[static_cast<std::size_t>(index)];
        emit chosen(*m_current);
    };
    if (m_ipus.size() <= mostButtons) {
        m_buttons = new SegmentedControl(tr("IPU"), this);
        for (const core::IpuId ipu : m_ipus)
            m_buttons->addSegment(QStringLiteral("IPU %1").arg(ipu.value()),
                                  tr("Show IPU %1").arg(ipu.value()));
        m_layout->addWidget(m_buttons);
        connect(m_buttons, &SegmentedControl::chosen, this, choose);
        return;
    }
    m_list = new QComboBox(this);
    nameBox(*m_list, tr("IPU"));
    for (const core::IpuId ipu : m_ipus)
        m_list->addItem(QStringLiteral("IPU %1").arg(ipu.value()));
    m_layout->addWidget(m_list);
    connect(m_list, &QComboBox::activated, this, choose);
}

void IpuChooser::showCurrent() {
    const auto at = std::find(m_ipus.begin(), m_ipus.end(), m_current.value_or(core::IpuId()));
    if (at == m_ipus.end())
        return;
    const int index = static_cast<int>(at - m_ipus.begin());
    if (m_buttons != nullptr)
        m_buttons->setCurrent(index);
    if (m_list != nullptr)
        m_list->setCurrentIndex(index);
}

} // namespace views
