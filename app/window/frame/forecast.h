#pragma once

#include <algorithm>
#include <deque>
#include <optional>

namespace app {

/// How long something goes on, by what it did of late: what came before, compiling for one, went at another
/// pace.
class Forecast {
public:
    /// `fraction` of it is done after so many seconds. Less than before: another one has begun.
    void add(double seconds, double fraction) {
        if (!m_marks.empty() && (fraction < m_marks.back().fraction || seconds < m_marks.back().seconds))
            m_marks.clear();
        m_marks.push_back({seconds, fraction});
        // One mark older than the window stays: the pace is that since then.
        while (m_marks.size() > 2 && m_marks[1].seconds <= seconds - window)
            m_marks.pop_front();
    }

    /// Seconds that are left; nothing while too little has been seen to say.
    [[nodiscard]] std::optional<double> left() const {
        if (m_marks.empty())
            return std::nullopt;
        const double took = m_marks.back().seconds - m_marks.front().seconds;
        const double done = m_marks.back().fraction - m_marks.front().fraction;
        if (took < leastSeen || done <= 0)
            return std::nullopt;
        return std::max(0.0, 1 - m_marks.back().fraction) * took / done;
    }

private:
    static constexpr double window = 6;
    static constexpr double leastSeen = 1;

    struct Mark {
        double seconds = 0;
        double fraction = 0;
    };
    std::deque<Mark> m_marks;
};

} // namespace app
