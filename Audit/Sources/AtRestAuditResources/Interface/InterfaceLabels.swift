import AtRestFormats

/// Finds the label that a person reads beside or above a field.
struct InterfaceLabels {
  private struct Frame {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    init?(_ element: XMLElement) {
      guard let rect = element.children.first(where: { $0.name == "rect" }),
        let x = rect.number("x"), let y = rect.number("y"), let width = rect.number("width"),
        let height = rect.number("height")
      else { return nil }
      self.x = x
      self.y = y
      self.width = width
      self.height = height
    }

    var right: Double { x + width }
    var bottom: Double { y + height }
  }

  /// A view among its siblings.
  private struct Part {
    let element: XMLElement
    let frame: Frame?
    /// The text that the view shows, if the view is a label or contains only a label.
    let text: String?
    let holdsField: Bool
  }

  /// The maximum distance of a label from its field, in points.
  private static let reach = 48.0
  /// The maximum number of parts of a view that are searched. A view with more parts is not a form
  /// that people read, and searching it would take too long.
  private static let partLimit = 100

  /// The number of fields that begin before each element, by index.
  private let fieldsBefore: [Int32]
  /// The parts of views that were searched, by the index of the list that contains them.
  private var parts: [Int32: [Part]] = [:]

  init(_ tree: XMLTree) {
    var counts: [Int32] = [0]
    counts.reserveCapacity(tree.nodes.count + 1)
    var count: Int32 = 0
    for element in tree.elements {
      switch element.name {
      case "textField", "textView", "searchBar": count += 1
      default: break
      }
      counts.append(count)
    }
    fieldsBefore = counts
  }

  /// Returns the text of the label of a field, or nil if there is none. The label may also belong
  /// to a view that contains the field and no other field.
  mutating func caption(of field: XMLElement) -> String? {
    var view = field
    for _ in 0..<3 {
      guard let siblings = view.parent, siblings.name == "subviews", let around = siblings.parent
      else { return nil }
      let parts = parts(of: siblings)
      guard let index = parts.firstIndex(where: { $0.element.isSame(as: view) }) else { return nil }
      if around.name == "stackView" {
        if index > 0, let text = parts[index - 1].text { return text }
      } else if let text = Self.label(forPart: index, of: parts) {
        return text
      }
      // There may be a frame around the field, with the label beside the frame.
      guard parts.count(where: \.holdsField) == 1 else { return nil }
      view = around
    }
    return nil
  }

  private mutating func parts(of siblings: XMLElement) -> [Part] {
    if let known = parts[siblings.index] { return known }
    let found = siblings.children.prefix(Self.partLimit).map { element in
      Part(
        element: element, frame: Frame(element), text: Self.text(of: element),
        holdsField: fieldsBefore[Int(element.index)] < fieldsBefore[element.endIndex])
    }
    parts[siblings.index] = found
    return found
  }

  private static func label(forPart index: Int, of parts: [Part]) -> String? {
    guard let frame = parts[index].frame else { return nil }
    let others = parts.indices.lazy.filter { $0 != index && parts[$0].holdsField }
      .compactMap { parts[$0].frame }
    var best: (distance: Double, text: String)?
    for part in parts where part.element.name == "label" {
      guard let text = part.text, let label = part.frame,
        let distance = distance(from: label, to: frame),
        best.map({ distance < $0.distance }) ?? true,
        // A label belongs to the nearest field.
        !others.contains(where: { other in
          self.distance(from: label, to: other).map { $0 < distance } ?? false
        })
      else { continue }
      best = (distance, text)
    }
    return best?.text
  }

  /// Returns the distance of a label to the left of a field or above it, or nil if it is elsewhere
  /// or too far away.
  private static func distance(from label: Frame, to field: Frame) -> Double? {
    let overlap = min(label.bottom, field.bottom) - max(label.y, field.y)
    if overlap > min(label.height, field.height) / 2, label.x < field.x {
      let gap = max(0, field.x - label.right)
      // The columns of a form are further apart than its rows.
      return gap <= 2 * reach ? gap / 2 : nil
    }
    guard label.y < field.y, label.x < field.right, field.x < label.right else { return nil }
    let gap = max(0, field.y - label.bottom)
    return gap <= reach ? gap : nil
  }

  /// Returns the text of a label or of a view that contains only a label, or nil for any other
  /// view.
  private static func text(of element: XMLElement, depth: Int = 0) -> String? {
    if element.name == "label" {
      if let text = element.attribute("text")?.nonEmpty { return text }
      for child in element.children {
        if child.attribute("key") == "text" { return child.text.nonEmpty }
        if child.attribute("key") == "attributedText" {
          return child.children.compactMap { $0.attribute("content") }.joined().nonEmpty
        }
      }
      return nil
    }
    guard depth < 3, let parts = element.child("subviews") else { return nil }
    var children = parts.children
    guard let only = children.next(), children.next() == nil else { return nil }
    return text(of: only, depth: depth + 1)
  }
}

extension XMLElement {
  /// Returns the value of an attribute, or nil if it is not a finite number.
  func number(_ name: String) -> Double? {
    attribute(name).flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }
}
