import AtRestFormats
import Synchronization

/// The files of a folder or an archive, and their place.
final class FileGroup: Sendable {
  let tree: any FileTree
  /// The archive that contains the files, if there is one.
  let base: Locator?
  /// The number of formats around the files.
  let depth: Int
  private let files: [String: TreeFile]
  /// For each path of a `Cache.db`, the requests whose responses are in separate files, and for each list of keys of
  /// AsyncStorage, the keys whose values are.
  private let requests = Mutex<[String: [String: String]]>([:])

  init(tree: any FileTree, base: Locator?, files: [TreeFile], depth: Int) {
    self.tree = tree
    self.base = base
    self.depth = depth
    // If two entries have the same name, the first is used.
    self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
  }

  func locator(of file: TreeFile) -> Locator {
    base?.appending(.entry(Locator.shortened(file.path))) ?? Locator(file.path)
  }

  func file(_ path: String) -> TreeFile? { files[path] }

  /// Reads the requests of a cache once, for all threads.
  func requests(of cache: String, _ read: () -> [String: String]) -> [String: String] {
    requests.withLock { requests in
      if let known = requests[cache] { return known }
      let result = read()
      requests[cache] = result
      return result
    }
  }
}
