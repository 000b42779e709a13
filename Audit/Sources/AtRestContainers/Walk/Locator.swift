/// The place of a value, step by step from the outside in, so that a person can find it again.
///
/// ```text
/// Library/Caches/com.example/Cache.db › cfurl_cache_response, row 3, request_key › base64
/// ```
public struct Locator: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file within the opened folder, with `/` as the separator.
  public let path: String
  public let steps: [Step]

  public enum Step: Hashable, Sendable {
    /// A file in an archive.
    case entry(String)
    /// A row of a table, by its identifier, and a column.
    case cell(table: String, row: Int64, column: String)
    /// Unused space of a database: the page (from 1) and the offset in the file.
    case deleted(page: Int, offset: Int)
    /// Keys and indices, such as `root.accounts[2].token`.
    case keyPath(String)
    /// A line of text, from 1.
    case line(Int)
    /// A record, by its name, such as the domain and name of a cookie.
    case record(String)
    /// An offset in bytes from the start of the surrounding value.
    case offset(Int)
    /// The encoding of the value, such as `base64`, `gzip` or `utf-16`.
    case encoding(String)
  }

  /// Creates a locator from a file and the steps inside it.
  public init(_ path: String, _ steps: [Step] = []) {
    self.path = path
    self.steps = steps
  }

  /// The place that is one step further inside.
  public func appending(_ step: Step) -> Locator { Locator(path, steps + [step]) }

  public var description: String {
    ([path] + steps.map(\.description)).joined(separator: " › ")
  }
}

extension Locator.Step: CustomStringConvertible {
  public var description: String {
    switch self {
    case .entry(let name): name
    case .cell(let table, let row, let column): "\(table), row \(row), \(column)"
    case .deleted(let page, let offset): "deleted, page \(page), byte \(offset)"
    case .keyPath(let path): path
    case .line(let line): "line \(line)"
    case .record(let name): name
    case .offset(let offset): "byte \(offset)"
    case .encoding(let name): name
    }
  }
}
