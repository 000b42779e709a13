import Foundation

/// The changes that a program made to the files below a folder, call by call, and its output.
///
/// Files are identified by their inode numbers at that time. Paths are relative to the folder.
enum FileEvent {
  case create(file: UInt64, path: String, mode: Int)
  case resize(file: UInt64, size: Int)
  case write(file: UInt64, offset: Int, data: Data)
  case flush(file: UInt64)
  case flushFolder(path: String)
  case rename(from: String, to: String)
  case link(file: UInt64, path: String)
  case unlink(path: String)
  case makeFolder(path: String)
  case removeFolder(path: String)
  case said(String)
  /// The program was killed when it was about to write output.
  case cutShort(String)
  case ended(status: Int)
  case unknown(String)

  /// The event in a few words, for the message of a failure.
  var words: String {
    switch self {
    case .create(_, let path, _): "create \(path)"
    case .resize(let file, let size): "resize \(file) to \(size)"
    case .write(let file, let offset, let data): "write \(data.count) at \(offset) of \(file)"
    case .flush(let file): "flush \(file)"
    case .flushFolder(let path): "flush folder \(path)"
    case .rename(let from, let to): "rename \(from) to \(to)"
    case .link(_, let path): "link \(path)"
    case .unlink(let path): "unlink \(path)"
    case .makeFolder(let path): "mkdir \(path)"
    case .removeFolder(let path): "rmdir \(path)"
    case .said(let text): "say \(text.split(separator: "\n").joined(separator: " "))"
    case .cutShort(let text):
      "be about to say \(text.split(separator: "\n").joined(separator: " "))"
    case .ended(let status): "end with \(status)"
    case .unknown(let text): text
    }
  }
}
