/** The content types of the images that are taken (contract §4, POST /files). */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
/** One of them. */
export type ImageType = (typeof IMAGE_TYPES)[number];

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** One format: how its images are told from others, and how they are walked to their end. */
export interface ImageFormat {
  readonly contentType: ImageType;
  /** Whether the bytes begin as this format's images do. */
  readonly isMeant: (bytes: Buffer) => boolean;
  /**
   * Walks the structure from the first byte to the last.
   *
   * @throws BrokenImage unless it is whole, with every declared length inside it and nothing after its end
   */
  readonly measure: (bytes: Buffer) => ImageSize;
}
