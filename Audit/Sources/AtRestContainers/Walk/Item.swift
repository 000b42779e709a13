import AtRestFormats
import Foundation

/// A value that a walk through a container visits.
package struct Item: Sendable {
  package let locator: Locator
  /// The name of the value: a key, a column, the name of a cookie.
  package let name: String?
  package let content: Content
  package let state: State
  /// The value of the column with the time of the row, which is read only for what is found.
  let time: SQLiteValue?
  /// The time that the row around the value says of itself. nil if it says none.
  package var recorded: Date? { time.flatMap(RowTime.time) }
  /// True if these are the raw bytes of a file, whose values may be visited by the same walk. A
  /// discovery in a value is preferred to one in raw bytes.
  package let isRaw: Bool
  /// True if this is a key of a dictionary, and not its value.
  package let isKey: Bool
  /// True if the same bytes were visited as raw bytes before, and nothing was found in them.
  let wasSearched: Bool

  package enum Content: Sendable {
    /// A string, or the text form of a number, a date or a boolean.
    case text(String)
    case bytes([UInt8])
  }

  package enum State: String, Sendable {
    case live
    /// In space that the format treats as free, but that can still be read.
    case deleted
  }

  package init(
    _ locator: Locator, name: String? = nil, _ content: Content, state: State = .live,
    isRaw: Bool = false, isKey: Bool = false
  ) {
    self.init(
      locator, name, content, state, isRaw: isRaw, isKey: isKey, wasSearched: false)
  }

  init(
    _ locator: Locator, _ name: String?, _ content: Content, _ state: State, isRaw: Bool = false,
    isKey: Bool = false, wasSearched: Bool = false, time: SQLiteValue? = nil
  ) {
    self.locator = locator
    self.name = name
    self.content = content
    self.state = state
    self.time = time
    self.isRaw = isRaw
    self.isKey = isKey
    self.wasSearched = wasSearched
  }
}
