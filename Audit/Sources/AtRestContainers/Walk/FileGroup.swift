import AtRestFormats
import Synchronization

/// Files that lie together, and where: a folder, or an archive with the way to it.
final class FileGroup: Sendable {
  let tree: any FileTree
  /// The archive that they lie in.
  let base: Locator?
  /// Formats around them.
  let depth: Int
  private let files: [String: TreeFile]
  /// By the path of a `Cache.db`, which request the files beside it answer.
  private let requests = Mutex<[String: [String: String]]>([:])

  init(tree: any FileTree, base: Locator?, files: [TreeFile], depth: Int) {
    self.tree = tree
    self.base = base
    self.depth = depth
    // Of two entries of one name the first is found.
    self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
  }

  func locator(of file: TreeFile) -> Locator {
    base?.appending(.entry(Locator.shortened(file.path))) ?? Locator(file.path)
  }

  func file(_ path: String) -> TreeFile? { files[path] }

  /// Reads once what is then known to all threads.
  func requests(of cache: String, _ read: () -> [String: String]) -> [String: String] {
    requests.withLock { requests in
      if let known = requests[cache] { return known }
      let result = read()
      requests[cache] = result
      return result
    }
  }
}
