import AtRestCrypto
import CAtRestDatabase
import Foundation

/// The frames that a checkpoint copies. Their codes were checked, so pages and reserves are authentic.
struct LogFrames {
  let salts: Data
  let code: Data
  let count: Int
  /// The size of the database after the last commit in the log.
  let pageCount: UInt32
  private let checkpoint: atrest_checkpoint

  init(_ checkpoint: atrest_checkpoint) {
    self.checkpoint = checkpoint
    salts = withUnsafeBytes(of: checkpoint.salts) { Data($0) }
    code = withUnsafeBytes(of: checkpoint.code) { Data($0) }
    count = Int(checkpoint.frame_count)
    pageCount = checkpoint.page_count
  }

  func page(of frame: Int) -> UInt32 { checkpoint.pages[frame] }

  func reserve(of frame: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: checkpoint.reserves + frame * PageHasher.reserveSize, count: PageHasher.reserveSize)
  }

  /// Reads the reserve of a page in the database.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the database ends before the page.
  func withReserve<Result>(
    inDatabaseOf page: UInt32, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    try withUnsafeTemporaryAllocation(byteCount: PageHasher.reserveSize, alignment: 8) { reserve in
      guard checkpoint.read(checkpoint.database, page, reserve.baseAddress!) == 0 else {
        throw AtRestError.damaged("The database ends before page \(page).")
      }
      return body(UnsafeRawBufferPointer(reserve))
    }
  }
}
