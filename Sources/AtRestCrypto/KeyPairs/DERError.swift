/// The reason why an encoding is not accepted, worded as part of a sentence. It shows no key
/// material.
struct DERError: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}
