// The canvas's tools, as the model is told of them.

const text = (description: string) => ({ type: 'string', description });

/** Sent with each turn while the canvas is on. */
export const clientTools = {
  display_diagram: {
    description:
      'Shows a new diagram on the canvas. The argument is draw.io XML: the mxCell elements alone, or ' +
      'a whole root, mxGraphModel or mxfile. Each cell has an id of its own; vertices have ' +
      'vertex="1" and an mxGeometry with x, y, width and height; edges have edge="1", source and ' +
      'target. Cells 0 and 1 are added where they are missing. Escape <, & and quotes in values.',
    inputSchema: {
      type: 'object',
      properties: { xml: text('draw.io XML, not compressed') },
      required: ['xml'],
      additionalProperties: false,
    },
  },
  edit_diagram: {
    description:
      'Changes the diagram on the canvas by ids of its cells. update: new_xml takes the place of ' +
      'the cell; add: new_xml is a new cell; delete: the cell goes, with what is in it and the ' +
      'edges at it.',
    inputSchema: {
      type: 'object',
      properties: {
        operations: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              operation: { type: 'string', enum: ['update', 'add', 'delete'] },
              cell_id: text('id of the cell'),
              new_xml: text('one whole mxCell element; not for delete'),
            },
            required: ['operation', 'cell_id'],
            additionalProperties: false,
          },
        },
      },
      required: ['operations'],
      additionalProperties: false,
    },
  },
  display_svg: {
    description:
      'Shows a drawing on the canvas. The argument is one SVG element without scripts and without ' +
      'pictures from elsewhere.',
    inputSchema: {
      type: 'object',
      properties: { svg: text('one svg element') },
      required: ['svg'],
      additionalProperties: false,
    },
  },
};

export const isCanvasTool = (name: string): boolean => Object.hasOwn(clientTools, name);
