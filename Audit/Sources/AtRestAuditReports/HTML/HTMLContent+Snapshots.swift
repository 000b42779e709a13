import AtRestAuditModel
import Foundation

extension HTMLContent {
  /// The maximum size in bytes of the images in a page. Larger pages are slow in browsers.
  private static let imageLimit = 16 << 20
  /// The types of images that browsers show and that cannot hold scripts.
  private static let mediaTypes: Set = ["image/png", "image/jpeg", "image/gif", "image/webp"]

  var snapshots: String {
    var left = Self.imageLimit
    return report.containers.filter { !$0.snapshots.isEmpty }.map { container in
      var output = "<h3>\(Self.shown(container.name))</h3>\n<div class=\"snapshots\">\n"
      for (number, snapshot) in container.snapshots.enumerated() {
        output += "<figure>"
        if let image = snapshot.image, let type = snapshot.mediaType,
          Self.mediaTypes.contains(type), image.count <= left
        {
          left -= image.count
          output += "<img alt=\"Snapshot \(number + 1) of \(Self.shown(container.name))\" "
          output += "src=\"data:\(type);base64,\(Data(image).base64EncodedString())\">"
        } else {
          output += "<p class=\"soft\">\(reason(snapshot))</p>"
        }
        output += "<figcaption><code>\(Self.shown(snapshot.path))</code></figcaption></figure>\n"
      }
      return output + "</div>\n"
    }.joined()
  }

  private func reason(_ snapshot: ContainerSummary.Snapshot) -> String {
    snapshot.image != nil && Self.mediaTypes.contains(snapshot.mediaType ?? "")
      ? "Left out, because the images are too large for one page."
      : "Browsers cannot show this format."
  }
}
