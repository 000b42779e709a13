/// Where a value lies, step by step from the outside in, so that a person can find it again.
///
///     Library/Caches/com.example/Cache.db › cfurl_cache_response, row 3, request_key › base64
public struct Locator: Hashable, Sendable, CustomStringConvertible {
  /// The file below the folder that was opened, with `/` between its parts.
  public let path: String
  public let steps: [Step]

  public enum Step: Hashable, Sendable {
    /// A file within an archive.
    case entry(String)
    /// A row of a table by its identifier, and the column.
    case cell(table: String, row: Int64, column: String)
    /// Space of a database that no row uses any more: page (from 1) and offset within the file.
    case deleted(page: Int, offset: Int)
    /// Keys and indices: `root.accounts[2].token`.
    case keyPath(String)
    /// A line of a text, from 1.
    case line(Int)
    /// A record by what names it: the domain and name of a cookie.
    case record(String)
    /// Bytes from the start of what is around it.
    case offset(Int)
    /// How the value is written: `base64`, `gzip`, `utf-16`.
    case encoding(String)
  }

  public init(_ path: String, _ steps: [Step] = []) {
    self.path = path
    self.steps = steps
  }

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
