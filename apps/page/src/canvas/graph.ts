// maxGraph as this page uses it: it draws, and takes no part in what a pointer or a key does.
import {
  BaseGraph,
  registerDefaultEdgeMarkers,
  registerDefaultEdgeStyles,
  registerDefaultPerimeters,
  registerDefaultShapes,
} from '@maxgraph/core';
import { fontSize } from './graph_cells.ts';
import { MeasuredRenderer } from './measured_shapes.ts';

/** Makes an empty graph in an element. Labels are SVG text, and nothing is fetched. */
export function makeGraph(container: HTMLElement): BaseGraph {
  registerDefaultEdgeMarkers();
  registerDefaultEdgeStyles();
  registerDefaultPerimeters();
  registerDefaultShapes();
  const graph = new BaseGraph({ container, plugins: [], cellRenderer: new MeasuredRenderer() });
  graph.setEnabled(false);
  graph.options.foldingEnabled = false;
  graph.keepEdgesInForeground = true;
  graph.getDataModel().maintainEdgeParent = false; // edges stand where the diagram says
  const { stylesheet } = graph as unknown as { stylesheet: { styles: Map<string, object> } };
  const common = { fontColor: '#1c1e21', fontSize, fontFamily: 'system-ui, sans-serif' };
  stylesheet.styles.set('defaultVertex', {
    shape: 'rectangle', perimeter: 'rectanglePerimeter', align: 'center', verticalAlign: 'middle',
    fillColor: '#ffffff', strokeColor: '#3c4043', ...common,
  });
  stylesheet.styles.set('defaultEdge', {
    shape: 'connector', endArrow: 'classic', align: 'center', verticalAlign: 'middle',
    strokeColor: '#3c4043', labelBackgroundColor: '#ffffff', ...common, fontSize: 11,
  });
  return graph;
}
