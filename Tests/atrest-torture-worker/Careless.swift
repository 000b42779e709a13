import AtRestCrypto
import Foundation

/// Puts the files of another store in place of this one's, and omits one of the flushes. The
/// power-loss tests must find fault with this program.
///
/// The command is `careless STORE DEVICE FROM LACK`. FROM is the folder with the other `store` and
/// `device`. LACK is `file` (a file is not flushed before it is renamed), `folder` (the folder is
/// not flushed after that), or `order` (`done` is written before either).
struct Careless {
  private let folders: [(from: URL, to: URL)]
  private let lack: String

  init(_ store: Store, _ arguments: [String]) throws {
    guard arguments.count == 2 else { throw Unusable("careless STORE DEVICE FROM LACK") }
    let from = URL(fileURLWithPath: arguments[0])
    folders = [
      (from.appendingPathComponent("device"), store.deviceFolder),
      (from.appendingPathComponent("store"), store.folder),
    ]
    lack = arguments[1]
  }

  func run() throws {
    if lack == "order" { say("done") }
    for (from, to) in folders {
      let names = try FileManager.default.contentsOfDirectory(atPath: from.path).sorted()
      for name in names {
        let data = try Data(contentsOf: from.appendingPathComponent(name))
        let target = to.appendingPathComponent(name).path
        if data != (try? Data(contentsOf: URL(fileURLWithPath: target))) {
          try replace(target, with: data)
        }
      }
      if lack != "folder" { try flush(to.path, O_RDONLY | O_DIRECTORY) }
    }
    if lack != "order" { say("done") }
  }

  private func replace(_ path: String, with data: Data) throws {
    let file = open(path + ".new", O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard file >= 0 else { throw Unusable("open \(path): \(errno)") }
    defer { close(file) }
    let count = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard count == data.count, lack == "file" || fsync(file) == 0,
      rename(path + ".new", path) == 0
    else { throw Unusable("replace \(path): \(errno)") }
  }

  private func flush(_ path: String, _ flags: Int32) throws {
    let file = open(path, flags)
    guard file >= 0, fsync(file) == 0 else { throw Unusable("flush \(path): \(errno)") }
    close(file)
  }
}
