import Foundation

extension StoreStorage {
  package func exclusivelyInPlace<Result: ~Copyable>(
    _ body: () throws -> Result
  ) throws -> Result { try exclusively(body) }

  package func sight(of name: String) -> FileSight { FileSight { [self] in try read(name) } }
}

extension FolderStorage {
  package func sight(of name: String) -> FileSight { FileSight(path: path(name)) }
}
