import AtRestKeychain

/// The result of `atrest backup`, in the form of its JSON.
struct BackupResult: Encodable {
  let file: String
  let migratable: Int
  let thisDeviceOnly: Int
  let leftOut: [LeftOutResult]

  init(_ summary: BackupSummary, file: String) {
    self.file = file
    migratable = summary.migratable
    thisDeviceOnly = summary.thisDeviceOnly
    leftOut = summary.leftOut.map(LeftOutResult.init)
  }
}
