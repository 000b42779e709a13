import Foundation

/// The measurements, as one Markdown table per topic.
struct Report {
  private var missed: [String] = []

  func table(_ title: String, _ columns: [String], _ rows: [[String]]) {
    print("\n## \(title)\n")
    print("| " + columns.joined(separator: " | ") + " |")
    print("|" + columns.map { _ in " --- |" }.joined())
    for row in rows { print("| " + row.joined(separator: " | ") + " |") }
    fflush(nil)
  }

  /// Returns a figure with its goal. A missed goal is marked, and listed at the end.
  mutating func judged(_ text: String, _ holds: Bool, _ goal: String) -> String {
    if holds { return "\(text) (\(goal))" }
    missed.append("\(text), goal \(goal)")
    return "**\(text)** (\(goal): missed)"
  }

  func end() {
    print("\n\(missed.isEmpty ? "All goals were met." : "Missed: ")")
    for figure in missed { print("- \(figure)") }
  }
}

extension Double {
  func rounded(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}

extension Int {
  /// The number with commas between thousands.
  var grouped: String {
    var text = ""
    for (index, digit) in String(self).reversed().enumerated() {
      if index > 0 && index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
