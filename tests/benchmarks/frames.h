#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "tests/benchmarks/measure.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <utility>
#include <vector>

namespace benchmarks {

/// Between two pictures of a screen, in ms.
constexpr double frameLimit = 16;

/// A result that must be there, or the reason why not and the end.
template <class Value>
Value need(core::Result<Value> result) {
    if (!result) {
        const core::Diagnostic& diagnostic = result.error().front();
        fmt::print(stderr, "{}: {}\n", diagnostic.code, diagnostic.message);
        std::exit(1);
    }
    return std::move(*result);
}

/// Lets queries and timers of the views finish.
inline void settle(int milliseconds) {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < milliseconds) {
        QApplication::processEvents();
        QThread::msleep(1);
    }
}

inline void turnWheel(QWidget& widget, int angle, Qt::KeyboardModifiers modifiers) {
    const QPointF at(widget.width() * 0.6, widget.height() * 0.4);
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, angle), Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

/// Processor time of the window's thread: what others do on the machine does not count.
inline double threadMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

/// A person zooms in, pans there and back, and zooms out again, three times over; every step is painted at
/// once. Answers arrive between the frames, as they do in the program.
inline void measureFrames(std::string_view what, QWidget& widget, Qt::KeyboardModifiers zoom) {
    std::vector<double> frames;
    const auto step = [&](int angle, Qt::KeyboardModifiers modifiers) {
        const double start = threadMilliseconds();
        turnWheel(widget, angle, modifiers);
        widget.repaint();
        frames.push_back(threadMilliseconds() - start);
        settle(3);
    };
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 14; ++i)
            step(120, zoom);
        for (int i = 0; i < 14; ++i)
            step(i < 7 ? -120 : 120, Qt::ShiftModifier);
        for (int i = 0; i < 14; ++i)
            step(-120, zoom);
    }
    std::sort(frames.begin(), frames.end());
    print(fmt::format("{}, {} x {}", what, widget.width(), widget.height()), frames[frames.size() / 2],
          frameLimit, "ms");
    print("  slowest twentieth", frames[frames.size() * 19 / 20], frameLimit, "ms");
    print("  slowest hundredth", frames[frames.size() * 99 / 100], frameLimit, "ms");
}

} // namespace benchmarks
