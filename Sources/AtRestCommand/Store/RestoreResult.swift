import AtRestKeychain

/// The result of `atrest restore`, in the form of its JSON.
struct RestoreResult: Encodable {
  let restored: Int
  let kept: Int
  let leftOut: [LeftOutResult]
  let formerStores: [String]

  init(_ summary: RestoreSummary) {
    restored = summary.restored
    kept = summary.kept
    leftOut = summary.leftOut.map(LeftOutResult.init)
    formerStores = summary.formerStores.map(\.text)
  }
}
